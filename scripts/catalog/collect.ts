import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BundledAdvisory,
  type BundledProject,
  type BundledReleases,
  bundledCatalog,
  releasePage,
  releaseUrl,
} from '../../src/catalog/bundled.ts'
import { type CollectedFacts, readCollected } from '../../src/catalog/collected.ts'
import type { CollectContext } from '../../src/collectors/collector.ts'
import { createEndOfLifeCollector } from '../../src/collectors/end-of-life/index.ts'
import { createHttp, type Http, usualPatience } from '../../src/collectors/http.ts'
import { readCatalogSettings } from '../../src/config/catalog.ts'
import { certificatesFor } from '../../src/config/certificates.ts'
import { type Db, openDatabase } from '../../src/db/open.ts'
import { toProduct } from '../../src/lifecycle/bundled.ts'
import type { Cycle } from '../../src/lifecycle/cycle.ts'
import { ensureCatalog } from '../../src/operations/catalog/bundled.ts'
import { runSync, type SyncOptions } from '../../src/operations/catalog/run-sync.ts'
import type { CatalogAdvisory } from '../../src/security/catalog-advisory.ts'
import { listCatalogAdvisories } from '../../src/store/catalog/catalog-advisory.ts'
import { findCycles } from '../../src/store/catalog/cycle.ts'
import { findKnownProjectsById } from '../../src/store/catalog/project.ts'
import { listAnswerTimes, listTrackedProjects } from '../../src/store/catalog/source.ts'
import { listStateFacts, type StoredStateFacts, saveStateFacts } from '../../src/store/facts/state-fact.ts'
import { formatDay, formatTimestamp } from '../../src/util/time.ts'
import { fetchExports, serveExports } from './osv-exports.ts'

const exportsUrl = 'https://osv-vulnerabilities.storage.googleapis.com'

/**
 * Asks the sources of the projects, or of all, by the collectors of `relt catalog sync`. The store in the folder remembers
 * what was read, so that a run that was interrupted continues.
 */
export async function collect(
  folder: string,
  { products, ...wish }: Pick<SyncOptions, 'projects' | 'signal' | 'onSource'> & { products: string[] },
) {
  const now = () => Math.floor(Date.now() / 1000)
  mkdirSync(folder, { recursive: true })
  const { signal } = wish
  const settings = readCatalogSettings(process.env)
  const asking = { env: process.env, access: settings.access, ca: certificatesFor(process.env), now, signal }
  const http = createHttp({ ...asking, perHost: 6, ...usualPatience })
  const isBulk = wish.projects.length === 0 && !process.env.RELT_OSV_URL
  const osv = isBulk ? await openExports(folder, http, signal) : undefined
  const env = { ...process.env, ...(osv && { RELT_OSV_URL: osv.url }) }
  const db = await openDatabase(join(folder, 'relt.db'))
  try {
    await ensureCatalog(db, now())
    await recall(db)
    const options = { ...wish, settings: readCatalogSettings(env), env, folder, concurrency: 6, isDry: false }
    const { sources } = await runSync({ db, now }, options)
    signal.throwIfAborted()
    if (!sources.some(({ outcome }) => outcome === 'changed' || outcome === 'unchanged'))
      throw new Error('No source answered.')
    const cycles = [...(await readCycles(db)), ...(await askCycles(products, settings.eolUrl, { http, now }))]
    return { ...(await readBundle(db)), cycles: new Map(cycles) }
  } finally {
    await Promise.all([db.destroy(), osv?.close(), http.close()])
  }
}

/** Two requests instead of one for each package. Without an answer, OSV is asked for each package. */
async function openExports(folder: string, http: Http, signal: AbortSignal) {
  try {
    return await serveExports(await fetchExports(folder, exportsUrl, http))
  } catch (error) {
    signal.throwIfAborted()
    console.error(`OSV's exports cannot be read: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

/** Facts of earlier runs, which a source that does not answer leaves as they are. */
async function recall(db: Db) {
  const known = await listStateFacts(db)
  for (const { as_of: asOf, ...facts } of readCollected()) {
    if (known.some(({ source, kind }) => source === facts.source && kind === facts.kind)) continue
    await saveStateFacts(db, { ...facts, asOf, answeredAt: null, state: {} })
  }
}

type Answer = readonly [product: string, { as_of: string; cycles: Cycle[] }]

async function readCycles(db: Db) {
  const tracked = await listTrackedProjects(db)
  const answered = await listAnswerTimes(db, 'eol')
  const ids = tracked.map(({ id }) => id)
  const found = await findCycles(db, ids)
  return tracked.flatMap(({ id, slug }): Answer[] => {
    const at = answered.get(id)
    return at === undefined ? [] : [[toProduct(slug)!, { as_of: formatDay(at), cycles: found.get(id) ?? [] }]]
  })
}

/** Asks for products that no project has. */
async function askCycles(products: string[], site: string | undefined, context: CollectContext): Promise<Answer[]> {
  if (site === undefined) return []
  const { collect } = createEndOfLifeCollector()
  const answers = products.map(async (product): Promise<Answer[]> => {
    const source = { kind: 'eol' as const, url: `${site}/${product}`, slug: product, tagPattern: null, chartNames: [] }
    const found = await collect(source, {}, context)
    const { cycles } = found.kind === 'changed' ? found : {}
    return cycles ? [[product, { as_of: formatDay(context.now()), cycles }]] : []
  })
  return (await Promise.all(answers)).flat()
}

/** What the store knows, as bundled files. No bundled release goes. */
async function readBundle(db: Db) {
  const known = bundledCatalog()
  const ids = new Map((await listTrackedProjects(db)).map(({ id, slug }) => [slug, id]))
  const found = Map.groupBy(await listCollected(db), ({ project_id }) => project_id)
  const listed = await listCatalogAdvisories(db)
  const answered = await listAnswerTimes(db, 'osv')
  const releases = known.projects.flatMap((project) => {
    const all = addReleases(project, known.releases[project.slug] ?? {}, found.get(ids.get(project.slug)!) ?? [])
    return Object.keys(all).length > 0 ? [[project.slug, all] as const] : []
  })
  const advisories = known.projects.flatMap(({ slug }) => {
    const id = ids.get(slug)!
    const at = answered.get(id)
    const before = known.advisories[slug]
    if (at === undefined) return before ? [[slug, before] as const] : []
    const rows = (listed.get(id) ?? []).filter(({ withdrawn_at }) => withdrawn_at === null).map(toAdvisory)
    return [[slug, { ...before, as_of: formatDay(at), advisories: rows }] as const]
  })
  const facts = await listStateFacts(db)
  const projects = new Map(
    (await findKnownProjectsById(db, [...ids.values()])).map((project) => [project.slug, project]),
  )
  const bases = new Map(
    (await db.selectFrom('project').select(['slug', 'history_basis']).execute()).map((row) => [
      row.slug,
      row.history_basis,
    ]),
  )
  const history = known.projects.map(({ slug }) => {
    const {
      knownUntil = null,
      completeSince = null,
      chartsKnownUntil = {},
      chartsCompleteSince = {},
    } = projects.get(slug)!
    const charts = Object.entries(chartsKnownUntil).flatMap(([chart, known_until]) =>
      known_until ? [[chart, { known_until, complete_since: chartsCompleteSince[chart] }] as const] : [],
    )
    const basis = bases.get(slug) ?? known.history[slug]?.basis ?? 'no app release known'
    const own = { known_until: knownUntil, complete_since: completeSince, basis }
    return [slug, { ...own, ...(charts.length > 0 && { charts: Object.fromEntries(charts) }) }] as const
  })
  return {
    history: Object.fromEntries(history),
    releases: Object.fromEntries(releases),
    advisories: Object.fromEntries(advisories),
    collected: facts.filter(({ source }) => source !== 'kev').map(toCollected),
    exploited: facts.filter(({ source }) => source === 'kev').map(toCollected)[0],
  }
}

/** Those that a sync added or changed. */
function listCollected(db: Db) {
  return db
    .selectFrom('release')
    .select(['project_id', 'type', 'chart_name', 'version', 'app_version', 'kube_version', 'published_at', 'url'])
    .where('origin', '=', 'collected')
    .execute()
}

function addReleases(
  { repo_url }: BundledProject,
  { url, app, helm = {}, pre }: BundledReleases,
  found: Awaited<ReturnType<typeof listCollected>>,
): BundledReleases {
  const rows = found.map(({ type, chart_name: chart, version, app_version, kube_version, published_at, url: own }) => {
    const template = chart === '' ? (url?.app ?? releasePage(repo_url)) : (url?.helm?.[chart] ?? `${repo_url}/releases`)
    const address = own === '' || own === releaseUrl(template, version) ? undefined : own
    return { type, chart, version, app_version, kube_version, at: formatTimestamp(published_at), address }
  })
  const byType = Map.groupBy(rows, ({ type }) => type)
  const byChart = Map.groupBy(byType.get('helm') ?? [], ({ chart }) => chart)
  const apps = (byType.get('app') ?? []).map(({ version, at, address }) => trim([version, at, address]))
  const released = new Set(rows.flatMap(({ type, chart, version }) => (type === 'pre' ? [] : [`${version} ${chart}`])))
  const all = {
    url,
    app: merge(app, apps),
    helm: Object.fromEntries(
      [...new Set([...Object.keys(helm), ...byChart.keys()])].map((chart) => {
        const listed = (byChart.get(chart) ?? []).map((row) =>
          trim([row.version, row.at, row.app_version, row.address, row.kube_version]),
        )
        return [chart, merge(helm[chart], listed)]
      }),
    ),
    pre: merge(
      pre?.filter(([version, , chart]) => !released.has(`${version} ${chart ?? ''}`)),
      (byType.get('pre') ?? []).map((row) =>
        trim([row.version, row.at, row.chart || null, row.app_version, row.address]),
      ),
      2,
    ),
  }
  return Object.fromEntries(Object.entries(all).filter(([, rows]) => rows && Object.keys(rows).length > 0))
}

/** Later rows replace earlier ones of the same version, and of the same chart in column `of`. Newest first. */
function merge<T extends [version: string, published: string, ...unknown[]]>(
  known: T[] = [],
  found: unknown[][],
  of = 0,
) {
  const rows = new Map([...known, ...(found as T[])].map((row) => [`${row[0]} ${row[of]}`, row]))
  return [...rows.values()].toSorted((a, b) => (a[1] < b[1] ? 1 : a[1] > b[1] ? -1 : 0))
}

/** Without the last members that say nothing. */
const trim = (row: unknown[]) => row.slice(0, row.findLastIndex((member) => member != null) + 1)

function toAdvisory(advisory: CatalogAdvisory): BundledAdvisory {
  const { id, aliases, severity, score, published_at, is_record_date, affected, databases } = advisory
  const ranges = affected.map(({ introduced, fixed, last_affected }) => trim([introduced, fixed, last_affected]))
  return [
    ...[
      id,
      aliases,
      severity,
      score,
      published_at === null ? null : formatDay(published_at),
      is_record_date ? 1 : 0,
      ranges,
      databases,
    ],
  ] as BundledAdvisory
}

function toCollected({ source, kind, asOf, answeredAt, facts }: StoredStateFacts) {
  return { source, kind, as_of: asOf ?? formatDay(answeredAt!), facts } as CollectedFacts
}
