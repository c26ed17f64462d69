import type { UpgradePlan, UpgradeReason } from '../../contract/upgrade.ts'
import type { Db } from '../../db/open.ts'
import { assessArtifacts, lookupKeys, prepareCatalog } from '../../freshness/index.ts'
import type { StoredRun } from '../../store/runs/run.ts'
import { partsOf } from '../../upgrade/parts.ts'
import { makePlan } from '../../upgrade/plan.ts'
import { offeringOf } from '../../upgrade/skew.ts'
import { formatTimestamp } from '../../util/time.ts'
import { findCatalog } from '../catalog/view.ts'
import { findUpgradeFacts } from '../facts/upgrade-facts.ts'
import type { Vault } from '../keys/vault.ts'
import { openContext } from '../runs/context.ts'
import { findKnownAdvisories } from './known-advisories.ts'
import { planFacts } from './plan-knowledge.ts'
import { clusterPart } from './upgrade-check.ts'
import { targetOf } from './upgrade-target.ts'

interface Options {
  to: string | undefined
  vault: () => Promise<Vault>
  /** Unix seconds. */
  now: number
}

/** The plan of the cluster of a run that says what runs there. */
export async function planUpgrade(db: Db, stored: StoredRun, { to, vault, now }: Options): Promise<UpgradePlan> {
  const { run } = stored
  const { artifacts } = await openContext(db, await vault(), stored.id, run.run_id)
  const catalog = prepareCatalog(await findCatalog(db, lookupKeys(artifacts), now, findKnownAdvisories), now)
  const known = planFacts(catalog, await findUpgradeFacts(db))
  const items = assessArtifacts(artifacts, catalog)
  const { parts, ...counts } = partsOf(items, known)
  const kubernetes = artifacts.kubernetesVersion
  const plan = makePlan(
    {
      kubernetes,
      to: targetOf(to, kubernetes, known),
      parts,
      cluster: clusterPart(kubernetes, known),
      offering: offeringOf(kubernetes, run.provider),
      reasons: inventoryReasons(items.length, counts.unknown, artifacts.gaps ?? []),
      isOfCluster: true,
    },
    known,
  )
  return {
    success: true,
    catalog_date: catalog.date,
    ...plan,
    basis: {
      ...{ cluster_name: run.cluster_name, environment: run.environment, provider: run.provider },
      ...{ run_id: run.run_id, seen_at: formatTimestamp(stored.at), artifacts: items.length },
      parts_with_facts: plan.parts.filter(({ evidence }) => evidence[0]?.kind !== 'none').length,
      parts: parts.length,
      ...counts,
    },
  }
}

function inventoryReasons(artifacts: number, unknown: number, gaps: readonly string[]): UpgradeReason[] {
  const about = { project_slug: null }
  if (artifacts === 0) return [{ word: 'undetermined', ...about, says: 'The report lists nothing that runs.' }]
  return [
    ...gaps.map((says): UpgradeReason => ({ word: 'not_stated', ...about, says })),
    ...(unknown === 0
      ? []
      : [
          {
            word: 'not_stated' as const,
            ...about,
            says: `${unknown} artifacts are of no project that the catalog knows.`,
          },
        ]),
  ]
}
