import type { UpgradePlan } from '../../contract/upgrade.ts'
import type { Db } from '../../db/open.ts'
import { lookupKeys } from '../../freshness/index.ts'
import { artifactOwners } from '../../reports/artifact-owners.ts'
import { listLatestOfAllSeries } from '../../store/runs/latest-of-series.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import { formatTimestamp } from '../../util/time.ts'
import type { Asking } from '../findings/accepting.ts'
import { findOwnershipFor } from '../findings/ownership.ts'
import type { Vault } from '../keys/vault.ts'
import { openContext } from '../runs/context.ts'
import { planCluster } from './cluster-plan.ts'
import { completeArtifacts } from './complete-artifacts.ts'
import { findPlanFactsFor } from './plan-knowledge.ts'

interface Options extends Asking {
  to: string | undefined
  /** Slugs of the projects to plan for; undefined: all running ones. */
  projects?: readonly string[] | undefined
  /** This particular run was requested: later runs of other scanners are ignored. */
  isOfRun: boolean
}

/** The upgrade plan for the cluster of a run with an inventory. */
export async function planUpgrade(db: Db, stored: StoredRun, options: Options): Promise<UpgradePlan> {
  const { ownerId, to, projects, isOfRun, vault, now } = options
  const { run } = stored
  const complete = await runningAt(db, stored, { isOfRun, vault: await vault() })
  const known = await findPlanFactsFor(db, lookupKeys(complete.artifacts), now)
  const ownersFor = artifactOwners(await findOwnershipFor(db, ownerId, vault), run, complete.artifacts)
  const { plan, counts, artifacts } = planCluster({ ...complete, to, projects, ownersFor }, known)
  return {
    success: true,
    ...plan,
    basis: {
      cluster_name: run.cluster_name,
      environment: run.environment,
      provider: complete.provider,
      run_id: run.run_id,
      seen_at: formatTimestamp(stored.at),
      artifacts,
      parts_with_facts: plan.parts.filter(({ evidence }) => evidence[0]?.kind !== 'none').length,
      parts: plan.parts.length,
      ...counts,
    },
  }
}

/** The running artifacts in this run, completed from other scanners' runs. */
async function runningAt(db: Db, stored: StoredRun, { isOfRun, vault }: { isOfRun: boolean; vault: Vault }) {
  const { id: runId, clusterId, seriesId, at, run } = stored
  const { artifacts } = await openContext(db, vault, runId, run.run_id)
  const latest = await listLatestOfAllSeries(db, [clusterId])
  const others = (latest.get(clusterId) ?? []).filter((one) => one.runId !== runId && (!isOfRun || one.at <= at))
  const { run_id: publicId, kubernetes_version: kubernetesVersion, format, provider } = run
  const own = { seriesId, runId, publicId, at, kubernetesVersion, format, provider }
  const [complete] = await completeArtifacts(db, vault, [{ runId, artifacts, scanners: [own, ...others] }])
  return complete!
}
