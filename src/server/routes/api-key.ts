import { issueKey } from '../../services/api-key.ts'
import { listKeys, removeKey } from '../../store/api-key.ts'
import type { Handlers } from '../app.ts'

export const apiKeyHandlers: Handlers<'listKeys' | 'createKey' | 'revokeKey'> = {
  async listKeys({ db, plans }, { user }) {
    const keys = (await listKeys(db, user.id)).map(({ uuid, name, created }) => ({ uuid, name, created }))
    const limit = plans[user.plan].keys
    // A plan may have allowed more when the keys were made.
    return { keys, limit, count: keys.length, remaining: Math.max(0, limit - keys.length) }
  },

  async createKey(context, { body, user }) {
    await context.vault()
    return async (db) => {
      const request = { userId: user.id, name: body.name }
      const { password, item } = await issueKey({ ...context, db }, request, context.now)
      return { success: true, password, item }
    }
  },

  async revokeKey(_, { params, user }) {
    return async (trx) => {
      await removeKey(trx, params.uuid, user.id)
      return { success: true }
    }
  },
}
