import type { TeamRole } from '../../contract/team.ts'
import type { Db } from '../../db/open.ts'
import { getOwnAccount, getTeamAccount } from '../../store/accounts/owner.ts'
import * as team from '../../store/accounts/team.ts'
import { addUser, getUser, type NewUser, type User, updateUser } from '../../store/accounts/user.ts'
import type { UnixSeconds } from '../../util/time.ts'
import type { Vault } from '../keys/vault.ts'
import { makerFor } from './maker.ts'
import { tagOfMember, tagOfPassword, tagOfRole } from './tags.ts'

/** The only code that writes rows that grant access, each with its tag. Call it in a transaction. */

/** Creating an admin requires the vault. Throws `invalid_param` if the login is taken. */
export async function addAccount(
  trx: Db,
  user: NewUser,
  { vault, now }: { vault: Vault | undefined; now: UnixSeconds },
): Promise<User> {
  const added = await addUser(trx, user, now)
  if (vault) await setRole(trx, vault, user.login, user.role)
  return added
}

export async function setRole(trx: Db, vault: Vault, login: string, role: User['role']) {
  const { id } = await getUser(trx, login)
  await updateUser(trx, login, { role, role_tag: tagOfRole(vault, { id, role }) })
}

/** `passwordHash` comes from `hashPassword`. */
export async function setPassword(trx: Db, vault: Vault, login: string, passwordHash: string) {
  const { id: userId } = await getUser(trx, login)
  const ownerId = await getOwnAccount(trx, userId)
  const password_tag = tagOfPassword(vault, { passwordHash, userId, ownerId })
  await updateUser(trx, login, { password_hash: passwordHash, password_tag })
}

interface Member {
  teamId: number
  userId: number
  role: TeamRole
}

/** Throws `invalid_param` if the user is already a member. */
export async function addMember(trx: Db, vault: Vault, { teamId, userId, role }: Member, by?: User) {
  const tag = await tagFor(trx, vault, { teamId, userId, role })
  await team.addMember(trx, { teamId, userId }, { role, tag, madeBy: by ? makerFor(by) : null })
}

/** Throws `not_found` if the user is not a member. */
export async function setMemberRole(trx: Db, vault: Vault, { teamId, userId, role }: Member) {
  const tag = await tagFor(trx, vault, { teamId, userId, role })
  await team.setMemberRole(trx, { teamId, userId }, { role, tag })
}

async function tagFor(trx: Db, vault: Vault, member: Member) {
  return tagOfMember(vault, { ...member, ownerId: await getTeamAccount(trx, member.teamId) })
}
