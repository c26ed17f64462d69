import { localLogin, type User } from '../../store/accounts/user.ts'

/** Maker id for things created in a session opened with the account's password. */
export const passwordMaker = (userId: number) => `password of ${userId}`

/** The credential of the caller: uuid of an API key, or the password; null for the local user, who needs none. */
export function makerFor({ id, key, login, operator }: User) {
  if (key) return key.uuid
  return operator || login === localLogin ? null : passwordMaker(id)
}
