import type { Freshness, FreshnessItem } from '../../contract/freshness.ts'
import type { OwnerLabel } from '../../contract/ownership.ts'
import type { Db } from '../../db/open.ts'
import {
  assessArtifacts,
  assessCustomResources,
  assessWanted,
  type CatalogFacts,
  CoverageCount,
  knownBy,
  type LookupKeys,
  lookupKeys,
  prepareCatalog,
  toItems,
} from '../../freshness/index.ts'
import type { Artifacts } from '../../reports/artifact.ts'
import { getPart } from '../../store/runs/part.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import { countItems } from '../../views/freshness-counts.ts'
import { findCatalog } from '../catalog/view.ts'
import type { Vault } from '../keys/vault.ts'
import { readContext } from '../runs/context.ts'
import { chooseItems, type FreshnessChoice } from './choose-items.ts'
import { KeptByCatalog } from './kept-by-catalog.ts'
import { findKnownAdvisories } from './known-advisories.ts'
import { toNodeComponents } from './node-components.ts'
import { findScannedImages } from './scanned-advisories.ts'
import { storedFreshness } from './stored-freshness.ts'
import { findUpgradeFacts } from './upgrade-facts.ts'

interface Options {
  vault: () => Promise<Vault>
  /** Unix seconds. */
  now: number
  explain: boolean
  /** Unix seconds: ignores later releases. */
  asOf?: number | undefined
  choice?: FreshnessChoice
}

/** Assesses the artifacts of a run against the current catalog, or as of another time. */
export async function assessRun(db: Db, stored: StoredRun, options: Options): Promise<Freshness> {
  const { run } = stored
  const { now, explain, asOf } = options
  const vault = await options.vault()
  const make = () => makeFreshness(db, stored, { ...options, vault })
  const isUsual = !explain && asOf === undefined
  const made = isUsual ? await storedFreshness(db, stored, { vault, now, make }) : (await make()).freshness
  const scanned = await findScannedImages(db, stored, vault)
  const items = scanned ? scanned.mark(made.items) : made.items
  return {
    success: true,
    run_id: run.run_id,
    processing_status: 'ready',
    catalog_date: oldestFacts(items) ?? made.date,
    summary: countItems(items),
    coverage: made.coverage,
    ...(made.nodes && { nodes: made.nodes }),
    ...(made.unread && { unread: made.unread }),
    ...(made.wanted && { wanted: made.wanted }),
    ...(made.custom_resources && { custom_resources: made.custom_resources }),
    ...(made.cluster_profiles && { cluster_profiles: made.cluster_profiles }),
    ...(made.owner_labels && { owner_labels: made.owner_labels }),
    ...chooseItems(items, options.choice ?? {}),
  }
}

async function makeFreshness(
  db: Db,
  { id, run }: StoredRun,
  { vault, now, explain, asOf }: Omit<Options, 'vault'> & { vault: Vault },
) {
  const context = await getPart(db, id, 'context')
  const { artifacts } = readContext(vault, run.run_id, context)
  const known = await findFacts(db, lookupKeys(artifacts), { now, asOf })
  const assessed = assessArtifacts(artifacts, known)
  const items = toItems(assessed, known, explain)
  const coverage = { ...new CoverageCount().add(assessed).result(), ...(artifacts.gaps && { gaps: artifacts.gaps }) }
  // Version skew rules are not part of a project, and reading them takes longer than most queries.
  const { skew: rules } = artifacts.nodes ? await findUpgradeFacts(db, []) : { skew: [] }
  const nodes = toNodeComponents(artifacts, { catalog: known, rules })
  const { unread } = artifacts
  const wanted = artifacts.wanted && assessWanted(artifacts, assessed, known)
  const custom_resources = assessCustomResources(artifacts, assessed)
  const more = {
    ...(nodes && { nodes }),
    ...(unread && { unread }),
    ...(wanted && { wanted }),
    ...(custom_resources && { custom_resources }),
    ...(artifacts.clusterProfiles && { cluster_profiles: artifacts.clusterProfiles }),
    ...(artifacts.ownerLabels && { owner_labels: labelsOfWhatRuns(artifacts) }),
  }
  return { freshness: { items, coverage, date: known.date, ...more }, context }
}

/** Owner labels of namespaces and workloads with an artifact. */
function labelsOfWhatRuns({ images, charts, apps, ownerLabels = [] }: Artifacts): OwnerLabel[] {
  const places = new Set<string>()
  for (const { namespace } of [...images, ...charts, ...apps]) places.add(`${namespace}/`)
  for (const { namespace, workload } of [...images, ...charts]) places.add(`${namespace}/${workload ?? ''}`)
  return ownerLabels.filter(({ namespace, workload }) => places.has(`${namespace}/${workload ?? ''}`))
}

/** Cache: pages and responses of a run request the same facts in succession. */
const kept = new KeptByCatalog<CatalogFacts>(4)

async function findFacts(db: Db, keys: LookupKeys, { now, asOf }: Pick<Options, 'now' | 'asOf'>) {
  const find = () => findCatalog(db, keys, now, findKnownAdvisories)
  if (asOf !== undefined) return prepareCatalog(knownBy(asOf, await find()), asOf)
  return kept.get(db, { key: JSON.stringify(keys), now }, async () => prepareCatalog(await find(), now))
}

/** Day of the oldest facts about the running projects. */
function oldestFacts(items: FreshnessItem[]): string | undefined {
  const known = items.filter(({ source_product_id }) => source_product_id !== null)
  return known.flatMap(({ catalog_date }) => catalog_date ?? []).sort()[0]
}
