import { invalidParams } from '../../../errors.ts'
import { findImpact } from '../../../operations/freshness/impact.ts'
import type { Handlers } from '../../handler.ts'

export const impactHandlers: Handlers<'impact'> = {
  async getImpact({ db, vault, now }, { query, owner }) {
    const { page = 1, per_page: perPage, cluster_name: clusterName, environment, ...question } = query
    const asked = Object.entries(question).filter(([, value]) => value !== undefined)
    if (asked.length > 1) throw invalidParams({ [asked[1]![0]]: `excludes ${asked[0]![0]}` })
    const part = perPage === undefined ? undefined : { from: (page - 1) * perPage, to: page * perPage }
    return findImpact(db, { ...question, part }, { ownerId: owner.id, clusterName, environment, vault, now })
  },
}
