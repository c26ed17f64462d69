import { hasCredentials, userPart } from './address.ts'

/** An address without user, password, and parameters that may be secrets. */
export function withoutCredentials(address: string): string {
  const plain = address.replace(userPart, '$1')
  return hasCredentials(plain) ? plain.replace(/[?#].*$/s, '') : plain
}
