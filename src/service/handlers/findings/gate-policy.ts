import { checkPolicy, getGatePolicy, saveGatePolicy } from '../../../operations/findings/gate-policy.ts'
import { change, type Handlers } from '../../handler.ts'

export const gatePolicyHandlers: Handlers<'gate-policy'> = {
  async getGatePolicy({ db, vault }, { owner }) {
    return getGatePolicy(db, owner.id, vault)
  },

  async setGatePolicy({ vault, now }, { body: { policy }, user, owner }) {
    if (policy !== null) checkPolicy(policy)
    const keys = await vault()
    return change(`owner:${owner.id} policy`, async (trx) => ({
      success: true,
      ...(await saveGatePolicy(trx, keys, { ownerId: owner.id, policy, login: user.login, now })),
    }))
  },
}
