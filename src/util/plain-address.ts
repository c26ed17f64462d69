import { hasCredentials, userPart } from './address.ts'

/** An address without user, password, and parameters that may be secrets. */
export function withoutCredentials(address: string): string {
  const plain = address.replace(userPart, '$1')
  return hasCredentials(plain) ? plain.replace(/[?#].*$/s, '') : plain
}

/** An address of the web in whatever form browsers take it, or one of another kind. `C:\shared` is none. */
const anyAddress = /^\s*(?:(?:https?|wss?|ftp):|[a-z][a-z0-9+.-]+:[\\/]{2})/i

/** Whether a text that need not be an address is one with credentials. */
export const hasAddressWithCredentials = (text: string): boolean => anyAddress.test(text) && hasCredentials(text)
