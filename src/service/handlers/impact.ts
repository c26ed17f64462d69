import type { RoutesOf } from '../../contract/nouns.ts'
import { invalidParams } from '../../errors.ts'
import { findImpact } from '../../operations/impact.ts'
import type { Handlers } from '../handler.ts'

export const impactHandlers: Handlers<RoutesOf<'impact'>> = {
  async getImpact({ db, vault, now }, { query, owner }) {
    const asked = Object.entries(query).filter(([, value]) => value !== undefined)
    if (asked.length > 1) throw invalidParams({ [asked[1]![0]]: `excludes ${asked[0]![0]}` })
    return findImpact(db, query, { ownerId: owner.id, vault, now })
  },
}
