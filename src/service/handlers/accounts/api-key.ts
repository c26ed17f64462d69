import { planNames } from '../../../config/plans.ts'
import type { Membership } from '../../../contract/team.ts'
import type { Db } from '../../../db/open.ts'
import { takeLock } from '../../../db/transaction.ts'
import { notFound } from '../../../errors.ts'
import { checkExpiry, issueKey } from '../../../operations/accounts/api-key.ts'
import { endKey, findMade, toShown } from '../../../operations/notifications/made.ts'
import { countKeys, findKeyUser, listKeys, removeKey } from '../../../store/accounts/api-key.ts'
import { listMemberships, listTeams } from '../../../store/accounts/team.ts'
import { isOperator } from '../../../store/accounts/user.ts'
import { change, type Handlers } from '../../handler.ts'

export const apiKeyHandlers: Handlers<'api-key'> = {
  async listKeys({ db, plans, now }, { user }) {
    const keys = await listKeys(db, user.id)
    const count = await countKeys(db, user.id, now)
    const limit = plans[user.plan].keys
    // The plan may have allowed more keys when they were created.
    return { keys, limit, count, remaining: Math.max(0, limit - count) }
  },

  async getCurrentKey({ db }, { user, owner }) {
    const key = user.key && (await listKeys(db, user.id)).find(({ uuid }) => uuid === user.key?.uuid)
    return {
      success: true,
      user_login: user.login,
      plan: planNames[user.plan],
      ...(key && { key }),
      team: owner.team === null ? null : { name: owner.team, role: owner.role },
      teams: isOperator(user) ? await listAllTeams(db) : await listMemberships(db, user.id),
    }
  },

  async createKey(context, { body, user }) {
    checkExpiry(body.expires_at, context.now)
    await context.vault()
    return change(`user:${user.id} keys`, async (db) => {
      const request = { userId: user.id, ...body, by: user }
      const { password, item } = await issueKey({ ...context, db }, request, context.now)
      return { success: true, password, item }
    })
  },

  async listMade({ db, now }, { params, user }) {
    await requireOrigin(db, user.id, params.uuid)
    return { success: true, ...toShown(await findMade(db, user.id, params.uuid, now)) }
  },

  async revokeKey({ now }, { params: { uuid }, query, user }) {
    if (query.made === undefined) {
      return change(`user:${user.id} keys`, async (trx) => {
        await removeKey(trx, uuid, user.id)
        return { success: true }
      })
    }
    // Team memberships may end, too.
    return change('teams', async (trx) => {
      await takeLock(trx, `user:${user.id} keys`)
      await requireOrigin(trx, user.id, uuid)
      return { success: true, ended: await endKey(trx, { userId: user.id, maker: uuid, by: user, now }) }
    })
  },
}

async function listAllTeams(db: Db): Promise<Membership[]> {
  return (await listTeams(db)).map(({ name }) => ({ name, role: 'owner', is_default: false }))
}

/** Origin of an active or ended key. Throws `not_found`, without the id: it may be the key itself, given by mistake. */
async function requireOrigin(db: Db, userId: number, uuid: string) {
  if ((await findKeyUser(db, uuid)) !== userId) throw notFound('API key')
}
