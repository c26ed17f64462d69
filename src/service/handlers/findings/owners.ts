import { getOwnerRules, saveOwnerRules } from '../../../operations/findings/ownership.ts'
import { change, type Handlers } from '../../handler.ts'

export const ownersHandlers: Handlers<'owners'> = {
  async getOwners({ db, vault }, { owner }) {
    return getOwnerRules(db, owner.id, vault)
  },

  async setOwners({ vault, now }, { body, user, owner }) {
    const keeper = await vault()
    return change(`owner:${owner.id} owners`, async (trx) => ({
      success: true,
      ...(await saveOwnerRules(trx, keeper, { ownerId: owner.id, rules: body.owners, login: user.login, now })),
    }))
  },
}
