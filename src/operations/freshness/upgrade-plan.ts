import type { UpgradePlan } from '../../contract/upgrade.ts'
import type { Db } from '../../db/open.ts'
import { prepareCatalog } from '../../freshness/index.ts'
import type { StoredRun } from '../../store/runs/run.ts'
import { formatTimestamp } from '../../util/time.ts'
import { findCatalog } from '../catalog/view.ts'
import type { Vault } from '../keys/vault.ts'
import { openContext } from '../runs/context.ts'
import { planCluster } from './cluster-plan.ts'
import { findKnownAdvisories } from './known-advisories.ts'
import { planFacts, planKeys } from './plan-knowledge.ts'
import { findUpgradeFacts } from './upgrade-facts.ts'

interface Options {
  to: string | undefined
  /** Slugs of the only projects to plan for; undefined: all that run. */
  projects?: readonly string[] | undefined
  vault: () => Promise<Vault>
  /** Unix seconds. */
  now: number
}

/** The plan of the cluster of a run that says what runs there. */
export async function planUpgrade(db: Db, stored: StoredRun, options: Options): Promise<UpgradePlan> {
  const { to, projects, vault, now } = options
  const { run } = stored
  const context = await openContext(db, await vault(), stored.id, run.run_id)
  const view = await findCatalog(db, planKeys(context.artifacts), now, findKnownAdvisories)
  const catalog = prepareCatalog(view, now)
  const known = planFacts(catalog, await findUpgradeFacts(db, view.projects))
  const running = { artifacts: context.artifacts, provider: run.provider, to, projects }
  const { plan, counts, artifacts } = planCluster(running, known)
  return {
    success: true,
    catalog_date: catalog.date,
    ...plan,
    basis: {
      ...{ cluster_name: run.cluster_name, environment: run.environment, provider: run.provider },
      ...{ run_id: run.run_id, seen_at: formatTimestamp(stored.at), artifacts },
      parts_with_facts: plan.parts.filter(({ evidence }) => evidence[0]?.kind !== 'none').length,
      parts: plan.parts.length,
      ...counts,
    },
  }
}
