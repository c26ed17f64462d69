import { invalidParams } from '../../../errors.ts'
import { findImpact } from '../../../operations/freshness/impact.ts'
import { defined } from '../../../util/defined.ts'
import type { Handlers } from '../../handler.ts'

export const impactHandlers: Handlers<'impact'> = {
  async getImpact({ db, vault, now }, { query, owner }) {
    const { page = 1, per_page: perPage, cluster_name: clusterName, environment, ...question } = query
    const [first, second] = Object.keys(defined(question))
    if (second !== undefined) throw invalidParams({ [second]: `excludes ${first}` })
    const part = perPage === undefined ? undefined : { from: (page - 1) * perPage, to: page * perPage }
    return findImpact(db, { ...question, part }, { ownerId: owner.id, clusterName, environment, vault, now })
  },
}
