import type { RoutesOf } from '../../contract/nouns.ts'
import { findFinding } from '../../operations/find-finding.ts'
import { listFindings } from '../../operations/list-findings.ts'
import type { Handlers } from '../handler.ts'

export const findingHandlers: Handlers<RoutesOf<'finding'>> = {
  async listFindings({ db, vault, now }, { query, owner }) {
    const { run_id, cluster_name, environment, severity, state, group_by, sort, per_page, ...rest } = query
    return listFindings(
      db,
      {
        ...rest,
        ownerId: owner.id,
        runId: run_id,
        clusterName: cluster_name,
        environment,
        severities: severity,
        states: state,
        groupBy: group_by,
        order: sort,
        perPage: per_page,
      },
      { vault, now },
    )
  },

  async getFinding({ db, vault }, { params, query, owner }) {
    const { run_id, cluster_name, environment } = query
    const choice = { ownerId: owner.id, runId: run_id, clusterName: cluster_name, environment }
    return findFinding(db, { ...choice, fingerprint: params.fingerprint }, vault)
  },
}
