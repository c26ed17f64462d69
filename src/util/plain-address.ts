import { hasCredentials, userPart } from './address.ts'

/** A URL without user, password, and parameters that may be secret. */
export function withoutCredentials(address: string): string {
  const plain = address.replace(userPart, '$1')
  return hasCredentials(plain) ? plain.replace(/[?#].*$/s, '') : plain
}

/** Matches a web URL in any form that browsers accept, or another URL; not `C:\shared`. */
const anyAddress = /^\s*(?:(?:https?|wss?|ftp):|[a-z][a-z0-9+.-]+:[\\/]{2})/i

/** Whether a text, which may be a URL, contains credentials. */
export const hasAddressWithCredentials = (text: string): boolean => anyAddress.test(text) && hasCredentials(text)
