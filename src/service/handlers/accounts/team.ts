import type { RoutesOf } from '../../../contract/nouns.ts'
import type { TeamDetails, TeamRole } from '../../../contract/team.ts'
import type { Db } from '../../../db/open.ts'
import { notFound, ReltError } from '../../../errors.ts'
import * as store from '../../../store/accounts/team.ts'
import { findUser, localLogin } from '../../../store/accounts/user.ts'
import { change, type Handlers } from '../../handler.ts'

export const teamHandlers: Handlers<RoutesOf<'team'>> = {
  async getTeam({ db }, { params, user }) {
    return describe(db, params.team, user.id)
  },

  async addTeamMember(_, { params, body, user }) {
    return change('teams', async (trx) => {
      const { teamId } = await requireOwner(trx, params.team, user.id)
      const account = body.login === localLogin ? undefined : await findUser(trx, body.login)
      if (!account) throw notFound('account', body.login)
      const members = await store.listMembers(trx, teamId)
      if (members.some(({ login }) => login === body.login)) {
        throw new ReltError('conflict', `${body.login} is a member of team ${params.team} already.`, {
          hint: `Change the role: relt teams set-role ${body.login} ${body.role} --team ${params.team}`,
        })
      }
      await store.addMember(trx, { teamId, userId: account.id }, { role: body.role, isDefault: false })
      return { success: true, ...(await describe(trx, params.team, user.id)) }
    })
  },

  async setTeamRole(_, { params, body, user }) {
    return change('teams', async (trx) => {
      const { teamId } = await requireOwner(trx, params.team, user.id)
      const userId = await getMember(trx, params.login)
      await store.setMemberRole(trx, { teamId, userId }, body.role)
      await requireAnOwner(trx, teamId, params.team)
      return { success: true, ...(await describe(trx, params.team, user.id)) }
    })
  },

  async removeTeamMember(_, { params, user }) {
    return change('teams', async (trx) => {
      const before = await describe(trx, params.team, user.id)
      const { teamId } = await requireOwner(trx, params.team, user.id)
      await store.removeMember(trx, { teamId, userId: await getMember(trx, params.login) })
      await requireAnOwner(trx, teamId, params.team)
      const items = before.items.filter(({ login }) => login !== params.login)
      return { success: true, ...before, members: items.length, items }
    })
  },
}

async function describe(db: Db, name: string, userId: number): Promise<TeamDetails> {
  const { teamId, role } = await getMembership(db, name, userId)
  const items = (await store.listMembers(db, teamId)).map(({ login, role }) => ({ login, role }))
  return { ...(await store.getTeam(db, name)), role, items }
}

/** A team of others is as if it did not exist. */
async function getMembership(db: Db, name: string, userId: number): Promise<{ teamId: number; role: TeamRole }> {
  const found = await store.findMembership(db, name, userId)
  if (!found) throw new ReltError('not_found', `You are in no team named ${name}.`)
  return found
}

async function requireOwner(db: Db, name: string, userId: number): Promise<{ teamId: number }> {
  const { teamId, role } = await getMembership(db, name, userId)
  if (role === 'owner') return { teamId }
  throw new ReltError('forbidden', `Only owners change the members of team ${name}; your role is ${role}.`, {
    hint: 'Ask an owner: relt teams members',
  })
}

/** Throws `not_found`. Whether the account is a member shows when its row is changed. */
async function getMember(db: Db, login: string): Promise<number> {
  const user = await findUser(db, login)
  if (!user) throw notFound('member', login)
  return user.id
}

/** The admin of a store can leave a team without owners; its owners cannot. */
async function requireAnOwner(trx: Db, teamId: number, name: string): Promise<void> {
  const members = await store.listMembers(trx, teamId)
  if (members.some(({ role }) => role === 'owner')) return
  throw new ReltError('conflict', `Team ${name} would have no owner.`, { hint: 'Make another member an owner first.' })
}
