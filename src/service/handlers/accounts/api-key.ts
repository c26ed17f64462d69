import { planNames } from '../../../config/plans.ts'
import type { RoutesOf } from '../../../contract/nouns.ts'
import { checkExpiry, issueKey } from '../../../operations/accounts/api-key.ts'
import { countKeys, listKeys, removeKey } from '../../../store/accounts/api-key.ts'
import { listMemberships } from '../../../store/accounts/team.ts'
import { change, type Handlers } from '../../handler.ts'

export const apiKeyHandlers: Handlers<RoutesOf<'api-key'>> = {
  async listKeys({ db, plans, now }, { user }) {
    const keys = await listKeys(db, user.id)
    const count = await countKeys(db, user.id, now)
    const limit = plans[user.plan].keys
    // A plan may have allowed more when the keys were made.
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
      teams: await listMemberships(db, user.id),
    }
  },

  async createKey(context, { body, user }) {
    checkExpiry(body.expires_at, context.now)
    await context.vault()
    return change(`user:${user.id} keys`, async (db) => {
      const request = { userId: user.id, ...body }
      const { password, item } = await issueKey({ ...context, db }, request, context.now)
      return { success: true, password, item }
    })
  },

  async revokeKey(_, { params, user }) {
    return change(`user:${user.id} keys`, async (trx) => {
      await removeKey(trx, params.uuid, user.id)
      return { success: true }
    })
  },
}
