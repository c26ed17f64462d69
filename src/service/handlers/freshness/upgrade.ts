import type { Db } from '../../../db/open.ts'
import { ReltError } from '../../../errors.ts'
import { planFleet } from '../../../operations/fleet/upgrade-fleet.ts'
import { checkUpgrade, findUpgradePath } from '../../../operations/freshness/upgrade-check.ts'
import { planUpgrade } from '../../../operations/freshness/upgrade-plan.ts'
import { findCluster, listClusters } from '../../../store/runs/cluster.ts'
import { findInventoryRun } from '../../../store/runs/latest-run.ts'
import { getRun } from '../../../store/runs/run.ts'
import type { Handlers } from '../../handler.ts'

export const upgradeHandlers: Handlers<'upgrade'> = {
  async getUpgradePlan({ db, vault, now }, { query, owner }) {
    const { cluster_name: name, environment, run_id: runId, to } = query
    const projects = query.projects?.split(',').filter(Boolean)
    const isOfRun = runId !== undefined
    const run = isOfRun
      ? await getRun(db, owner.id, runId)
      : await getInventoryRun(db, { ownerId: owner.id, name, environment })
    const asked = { to, projects: projects?.length ? projects : undefined, isOfRun }
    return planUpgrade(db, run, { ownerId: owner.id, ...asked, vault, now })
  },

  async getFleetUpgrade({ db, vault, now, environments }, { query, owner }) {
    const order = (query.environments ?? environments ?? '').split(',').flatMap((name) => name.trim() || [])
    return planFleet(db, { ownerId: owner.id, label: query.label, to: query.to, order, vault, now })
  },

  async checkUpgrade({ db, now }, { body }) {
    return checkUpgrade(db, body, now)
  },

  async getUpgradePath({ db, now }, { query }) {
    return findUpgradePath(db, query, now)
  },
}

/** Throws `not_found`, and `invalid_param` if the cluster is ambiguous. */
async function getInventoryRun(
  db: Db,
  wanted: { ownerId: number; name: string | undefined; environment: string | undefined },
) {
  const all = await listClusters(db, wanted)
  const names = [...new Set(all.map(({ name }) => name))]
  if (wanted.name === undefined && names.length > 1) {
    const some = names.slice(0, 10).join(', ')
    throw new ReltError('invalid_param', 'Several clusters could be meant.', {
      hint: `Say which: ${some}`,
      params: { cluster_name: `one of ${some} is needed` },
    })
  }
  const cluster = await findCluster(db, wanted)
  const run = cluster && (await findInventoryRun(db, cluster.id))
  if (!run) {
    const what =
      wanted.name === undefined ? 'No report is stored.' : `No report of a cluster named ${wanted.name} is stored.`
    throw new ReltError('not_found', what, { hint: 'Upload one: relt reports upload FILE' })
  }
  return run
}
