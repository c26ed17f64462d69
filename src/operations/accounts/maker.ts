import { localLogin, type User } from '../../store/accounts/user.ts'

/** The maker of what was made in a session that the password of the account opened. */
export const passwordMaker = (userId: number): string => `password of ${userId}`

/** What a caller uses: uuid of an API key, or the password; null for the user of this machine, who needs neither. */
export function makerFor({ id, key, login }: User): string | null {
  if (key) return key.uuid
  return login === localLogin ? null : passwordMaker(id)
}
