import { gzipSync } from 'node:zlib'
import { pages as webPages } from '../src/html/pages/index.ts'
import type { Running } from './http-load.ts'
import { type Figure, median, usageOfBareNode } from './measure.ts'
import { cpuOfHomePage, cpuOfViews, get, withSite } from './site.ts'

const mostBytes = 60_000
/** So often that V8 has optimized what a server in use runs. */
const views = 40
const viewsOfAll = 3

/** Choices of filters that read more than the page without them. */
const filtered: Record<string, string[]> = {
  '/findings': [
    'severity=critical,high',
    'check=SEC003',
    'namespace=team-1-production',
    'group_by=check',
    'group_by=namespace',
    'state=new,regressed',
    'state=new&check=SEC003',
    'state=new&namespace=team-1-production',
    'sort=count',
  ],
  '/impact': ['new_days=30'],
}

/** Plans every cluster, which `upgrade.ts` bounds. */
const planning = '/upgrade'

/** These read every text. */
const searches: Record<string, string[]> = { '/findings': ['search=nowhere', 'resource=nowhere'] }

/**
 * CPU time of the server for each page, and its size: over 1,000 clusters with two runs of 1,000 findings, and over one
 * cluster with 1,000 runs. A first view, which counts what later ones look up, is shown and has no bound.
 */
export async function pages(): Promise<Figure[]> {
  return [...(await pagesOfFleet()), ...(await pagesOfCluster())]
}

async function pagesOfFleet(): Promise<Figure[]> {
  return withSite({ clusters: 1000, runs: 2, findings: 1000 }, async (site) => {
    const ids = await toIds(site)
    const home = await cpuOfHomePage(site)
    const figures: Figure[] = [
      { name: 'CPU of the home page / node -e 0', ours: home, base: usageOfBareNode().cpuMs, unit: 'ms' },
    ]
    for (const { path } of webPages) {
      const address = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!)
      for (const query of ['', ...(filtered[path] ?? []), ...(searches[path] ?? [])]) {
        const name = query ? `${path}?${query}` : path
        const readsAll = path === planning || searches[path]?.includes(query)
        figures.push(...(await measure(site, { name, url: query ? `${address}?${query}` : address, home, readsAll })))
      }
    }
    return figures
  })
}

/** Its runs are younger than servers keep them by default. */
async function pagesOfCluster(): Promise<Figure[]> {
  return withSite({ clusters: 1, runs: 1000, findings: 1000, everyHours: 2 }, async (site) => {
    const ask = async (path: string) => JSON.parse(await get(site, `/api/relt/v1${path}`))
    const { cluster_id, cluster_name, environment } = (await ask('/clusters')).items[0]
    const { items, total_pages } = await ask('/cluster-reports?per_page=100')
    const [latest, before] = items.map(({ run_id }: { run_id: string }) => run_id)
    const first = (await ask(`/cluster-reports?per_page=100&page=${total_pages}`)).items.at(-1).run_id
    const cluster = `cluster_name=${cluster_name}&environment=${environment}`
    const views: Record<string, string> = {
      cluster: `/clusters/${cluster_id}`,
      'oldest runs': `/clusters/${cluster_id}?page=20`,
      trends: `/trends?${cluster}&window_days=365`,
      'comparison of neighbours': `/compare?from_run_id=${before}&to_run_id=${latest}`,
      'comparison of first and last': `/compare?from_run_id=${first}&to_run_id=${latest}`,
      'latest run': `/runs/${latest}`,
      'first run': `/runs/${first}`,
      freshness: `/runs/${latest}/freshness`,
      findings: `/findings?${cluster}`,
      'findings of first run': `/findings?run_id=${first}`,
      'new findings': '/findings?state=new,regressed',
      'findings by resource': '/findings?group_by=resource',
      'findings by first sight': '/findings?sort=first-seen',
    }
    const home = await cpuOfHomePage(site)
    const figures: Figure[] = []
    for (const [name, url] of Object.entries(views)) {
      figures.push(...(await measure(site, { name: `1,000 runs: ${name}`, url, home })))
    }
    return figures
  })
}

async function measure(
  site: Running,
  { name, url, home, readsAll }: { name: string; url: string; home: number; readsAll?: boolean | undefined },
): Promise<Figure[]> {
  const [first, ...later] = await cpuOfViews(site, url, 1 + (readsAll ? viewsOfAll : views))
  const bytes = gzipSync(await get(site, url)).length
  const view = (name: string, ours: number): Figure => ({ name: `${name} / home page`, ours, base: home, unit: 'ms' })
  return [
    { ...view(name, median(later)), ...(readsAll && { isUnbounded: true }) },
    { ...view(`first view of ${name}`, first!), isUnbounded: true },
    { name: `${name}, gzipped / ${mostBytes / 1000} kB`, ours: bytes, base: mostBytes, unit: 'bytes', atMost: 1 },
  ]
}

/** Everything that a page can be about. */
async function toIds(site: Running): Promise<Record<string, string>> {
  const ask = async (path: string, body?: object) => JSON.parse(await get(site, `/api/relt/v1${path}`, body))
  const clusters = await ask('/clusters')
  const findings = await ask('/findings')
  const { cluster_id } = clusters.items[0]
  const { run_id, fingerprint } = findings.items[0]
  const exception = await ask('/exceptions', { fingerprint, reason: 'known', expires_on: '2099-01-01' })
  const { exception_id } = exception
  const { items } = await ask('/projects?search=argo-cd')
  return {
    cluster_id,
    run_id,
    fingerprint,
    exception_id,
    id: items[0].id,
  }
}
