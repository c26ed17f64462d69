import type { freshnessChoices, freshnessOrders } from '../../contract/choices.ts'
import type { Freshness, FreshnessItem } from '../../contract/freshness.ts'
import type { Db } from '../../db/open.ts'
import {
  assessArtifacts,
  assessWanted,
  type CatalogFacts,
  CoverageCount,
  type LookupKeys,
  lookupKeys,
  prepareCatalog,
  toItems,
} from '../../freshness/index.ts'
import { ScannedImages } from '../../freshness/scanned-images.ts'
import type { Artifacts } from '../../reports/artifact.ts'
import type { ImageAdvisories } from '../../reports/scan.ts'
import { findLatestOfScanner } from '../../store/runs/latest-run.ts'
import { findPart, getPart } from '../../store/runs/part.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import { defined } from '../../util/defined.ts'
import { unpack } from '../../util/pack.ts'
import { slicePage } from '../../util/page.ts'
import { byUrgency, isAffected } from '../../views/artifact.ts'
import { countItems } from '../../views/freshness-counts.ts'
import { findCatalog } from '../catalog/view.ts'
import type { Unlock, Vault } from '../keys/vault.ts'
import { readContext } from '../runs/context.ts'
import { keptByCatalog } from './kept-by-catalog.ts'
import { findKnownAdvisories } from './known-advisories.ts'
import { toNodeComponents } from './node-components.ts'
import { storedFreshness } from './stored-freshness.ts'
import { findUpgradeFacts } from './upgrade-facts.ts'

interface Options {
  vault: Unlock
  /** Unix seconds. */
  now: number
  explain: boolean
  choice?: FreshnessChoice
}

/** Assesses the artifacts of a run against the current catalog. */
export async function assessRun(db: Db, stored: StoredRun, options: Options): Promise<Freshness> {
  const { run } = stored
  const { now, explain } = options
  const vault = await options.vault()
  const make = () => makeFreshness(db, stored, { ...options, vault })
  const made = !explain ? await storedFreshness(db, stored, { vault, now, make }) : (await make()).freshness
  const scanned = await findScannedImages(db, stored, vault)
  const items = scanned ? scanned.mark(made.items) : made.items
  const { nodes, unread, wanted, owner_labels } = made
  return {
    success: true,
    run_id: run.run_id,
    processing_status: 'ready',
    catalog_date: made.coverage.catalog_at ?? made.date,
    summary: countItems(items),
    coverage: made.coverage,
    ...defined({ nodes, unread, wanted, owner_labels }),
    ...chooseItems(items, options.choice ?? {}),
  }
}

async function makeFreshness(
  db: Db,
  { id, run }: StoredRun,
  { vault, now, explain }: Omit<Options, 'vault'> & { vault: Vault },
) {
  const context = await getPart(db, id, 'context')
  const { artifacts } = readContext(vault, run.run_id, context)
  const known = await findFacts(db, lookupKeys(artifacts), now)
  const assessed = assessArtifacts(artifacts, known)
  const items = toItems(assessed, known, explain)
  const coverage = { ...new CoverageCount().add(assessed).result(), ...(artifacts.gaps && { gaps: artifacts.gaps }) }
  // Version skew rules are not part of a project, and reading them takes longer than most queries.
  const { skew: rules } = artifacts.nodes ? await findUpgradeFacts(db, []) : { skew: [] }
  const nodes = toNodeComponents(artifacts, { catalog: known, rules })
  const { unread } = artifacts
  const wanted = artifacts.wanted && assessWanted(artifacts, assessed, known)
  const more = defined({
    nodes,
    unread,
    wanted,
    owner_labels: artifacts.ownerLabels && labelsOfWhatRuns(artifacts),
  })
  return { freshness: { items, coverage, date: known.date, ...more }, context }
}

/** Owner labels of namespaces and workloads with an artifact. */
function labelsOfWhatRuns({ images, charts, apps, ownerLabels = [] }: Artifacts) {
  const places = new Set<string>()
  for (const { namespace } of [...images, ...charts, ...apps]) places.add(`${namespace}/`)
  for (const { namespace, workload } of [...images, ...charts]) places.add(`${namespace}/${workload ?? ''}`)
  return ownerLabels.filter(({ namespace, workload }) => places.has(`${namespace}/${workload ?? ''}`))
}

/** Cache: pages and responses of a run request the same facts in succession. */
const kept = keptByCatalog<CatalogFacts>(4)

async function findFacts(db: Db, keys: LookupKeys, now: number) {
  const find = async () => prepareCatalog(await findCatalog(db, keys, now, findKnownAdvisories), now)
  return kept(db, { key: JSON.stringify(keys), now }, find)
}

interface FreshnessChoice {
  status?: (typeof freshnessChoices)[number] | undefined
  /** Search term: part of an artifact's name. */
  search?: string | undefined
  /** Key of a single artifact. */
  artifact?: string | undefined
  sort?: (typeof freshnessOrders)[number] | undefined
  page?: number | undefined
  /** Undefined: all on one page. */
  per_page?: number | undefined
}

/** Filters and sorts artifacts as requested. */
function chooseItems(all: FreshnessItem[], choice: FreshnessChoice) {
  const { status, search = '', artifact, sort, page = 1, per_page: perPage } = choice
  const wanted = search.toLowerCase()
  const chosen = all.filter(
    (item) =>
      (!status || has(item, status)) &&
      (!artifact || item.artifact_key === artifact) &&
      item.display_name.toLowerCase().includes(wanted),
  )
  const items = sort === 'urgency' ? chosen.sort(byUrgency) : chosen
  return perPage === undefined ? { items } : slicePage(items, { page, perPage })
}

function has(item: FreshnessItem, status: NonNullable<FreshnessChoice['status']>) {
  if (status === 'affected') return isAffected(item)
  if (status === 'out_of_support') return item.eol?.is_eol === true
  return status === (item.vendor_component ? 'managed' : item.status)
}

/** Advisories about a cluster's images in its latest Trivy report; undefined without such a report. */
async function findScannedImages(db: Db, { clusterId }: Pick<StoredRun, 'clusterId'>, vault: Vault) {
  const scan = await findLatestOfScanner(db, clusterId, 'trivy')
  if (!scan) return undefined
  const { run_id, finished_at, started_at, ingested_at } = scan.run
  const seen_at = finished_at ?? started_at ?? ingested_at
  const part = await findPart(db, scan.id, 'advisories')
  const advisories: ImageAdvisories = part ? JSON.parse(unpack(vault.open(run_id, part)).toString('utf8')) : {}
  return new ScannedImages({ run_id, seen_at }, advisories)
}
