import { findAccepting } from '../../../operations/findings/accepting.ts'
import { findFinding, markAccepted } from '../../../operations/findings/find.ts'
import { listFindings } from '../../../operations/findings/list.ts'
import { listRunFindings } from '../../../operations/findings/list-of-run.ts'
import { listRiskPaths } from '../../../operations/findings/risk-paths.ts'
import { listTopChecks } from '../../../operations/findings/top-checks.ts'
import { splitWorkload } from '../../../operations/runs/joins.ts'
import { chooseLatestRuns } from '../../../operations/runs/latest.ts'
import type { Owner } from '../../../store/accounts/owner.ts'
import { getRun } from '../../../store/runs/run.ts'
import { type CheckedRequest, change, type Handlers } from '../../handler.ts'

export const findingHandlers: Handlers<'finding'> = {
  async listFindings({ db, vault, now, timeZone }, { query, owner }) {
    const { since, namespace, check, resource, search, severity: severities, state: states, group_by: groupBy } = query
    const filter = { since, namespace, check, resource, search, owner: query.owner, severities, states, groupBy }
    return listFindings(db, { ...toChoice(query, owner), ...filter, order: query.sort }, { vault, now, timeZone })
  },

  async listRunFindings({ db, vault, now }, { params, query, owner }) {
    const [run] = await chooseLatestRuns(db, { ownerId: owner.id, runId: params.run_id })
    const accepting = await findAccepting(db, { ownerId: owner.id, vault, now })
    return listRunFindings(db, run!, { vault: await vault(), limit: query.limit, ownerId: owner.id, accepting })
  },

  async listTopChecks({ db, vault, now }, { query, owner }) {
    return listTopChecks(
      db,
      { ...toChoice(query, owner), severities: query.severity, owner: query.owner },
      { vault, now },
    )
  },

  async listRiskPaths({ db, vault, now }, { query, owner }) {
    return listRiskPaths(db, toChoice(query, owner), { vault, now })
  },

  async splitWorkload({ db, vault }, { body: { run_id, ...workload }, user, owner }) {
    const { clusterId } = await getRun(db, owner.id, run_id)
    const opened = await vault()
    return change(`cluster:${clusterId} runs`, async (trx) => {
      const run = await getRun(trx, owner.id, run_id)
      return { success: true, ...(await splitWorkload(trx, opened, run, { ...workload, by: user })) }
    })
  },

  async getFinding({ db, vault, now }, { params, query, owner }) {
    const { run_id, cluster_name, environment } = query
    const choice = { ownerId: owner.id, runId: run_id, clusterName: cluster_name, environment }
    const found = await findFinding(db, { ...choice, fingerprint: params.fingerprint }, vault)
    return markAccepted(found, await findAccepting(db, { ownerId: owner.id, vault, now }))
  },
}

type PageQuery = CheckedRequest<'listRiskPaths'>['query']

function toChoice({ run_id, cluster_name, environment, page, per_page }: PageQuery, { id }: Owner) {
  return { ownerId: id, runId: run_id, clusterName: cluster_name, environment, page, perPage: per_page }
}
