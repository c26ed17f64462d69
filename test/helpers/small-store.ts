import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { setMeta } from '../../src/db/meta.ts'
import { openDatabase } from '../../src/db/open.ts'
import { saveBundledCatalog } from '../../src/store/catalog/bundled.ts'
import { parseTimestamp } from '../../src/util/time.ts'
import { type BundledProject, type BundledRelease, catalogFor } from './bundled-catalog.ts'
import { runCli, testNow } from './cli.ts'

/** Later than any bundled catalog, so that none takes its place. */
const catalogDate = '2099-01-01'

/** A catalog of five projects: little enough to print whole, and no update of the bundled one changes it. */
export async function makeSmallCatalog(home: string): Promise<void> {
  smallStore ??= readSmallStore()
  mkdirSync(home, { recursive: true, mode: 0o700 })
  writeFileSync(join(home, 'relt.db'), await smallStore, { mode: 0o600, flag: 'wx' })
}

/** Making one takes longer than most tests. */
let smallStore: Promise<Buffer> | undefined

async function readSmallStore(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'relt-store-'))
  const [whole, small] = [join(folder, 'relt.db'), join(folder, 'small.db')]
  try {
    const db = await openDatabase(whole)
    await db.transaction().execute(async (trx) => {
      await saveBundledCatalog(trx, catalogFor(smallCatalog), testNow)
      await setMeta(trx, 'catalog_date', catalogDate)
    })
    await sql`vacuum into ${small}`.execute(db)
    await db.destroy()
    const sqlite = new DatabaseSync(small)
    // As relt leaves it.
    sqlite.exec('pragma journal_mode = wal')
    sqlite.close()
    return readFileSync(small)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The small catalog, and three runs of one cluster. Answers with their ids, oldest first. */
export async function makeSmallStore(home: string): Promise<string[]> {
  await makeSmallCatalog(home)
  return uploadAll(home, smallReports)
}

export async function uploadAll(home: string, reports: unknown[]): Promise<string[]> {
  const ids: string[] = []
  for (const report of reports) {
    const uploaded = await runCli(['reports', 'upload', '-', '--json'], { home, stdin: JSON.stringify(report) })
    ids.push(JSON.parse(uploaded.stdout).run_id)
  }
  return ids
}

interface SmallCheck {
  severity: string
  items: Record<string, string>[]
}

export function smallReport(at: string, score: number | undefined, checks: Record<string, SmallCheck>, more = {}) {
  return {
    metadata: {
      clusterName: 'shop-prod',
      kubernetesVersion: 'v1.34.2',
      generatedAt: at,
      ...(score !== undefined && { score }),
      excludedNamespaces: ['kube-system'],
    },
    checks: Object.fromEntries(
      Object.entries(checks).map(([id, { severity, items }]) => [
        id,
        { ID: id, Name: `Check ${id}`, Category: 'Security', Severity: severity, Total: items.length, Items: items },
      ]),
    ),
    artifacts: {
      images: [
        { fullRef: 'nginx:1.27.3', namespace: 'shop', workloadKind: 'Deployment', workloadName: 'web' },
        { fullRef: 'quay.io/argoproj/argocd:v3.5.1', namespace: 'argocd' },
        { fullRef: 'registry.shop.example/shop/cart:2026.8.0', namespace: 'shop' },
      ],
      helmCharts: [{ name: 'argo-cd', version: '9.1.0', namespace: 'argocd' }],
    },
    ...more,
  }
}

const item = (namespace: string, resource: string, message: string) => ({
  Namespace: namespace,
  Resource: resource,
  Message: message,
})
const asRoot = (pod: string) => item('shop', `pod/${pod}`, `Container ${pod.split('-')[0]} runs as root`)
const noProbes = (name: string) => item('shop', `deployment/${name}`, 'readiness, liveness missing')
const nodePort = item('monitoring', 'service/grafana', 'Reachable from outside through a node port')
const noQuota = item('shop', 'namespace/shop', 'No ResourceQuota')
const registry = item('shop', 'pod/cart-5d9c7b8f66-k2j4x', 'Registry of container cart is not on the list')

/** From the second to the third: one new, two regressed (one came back, one got worse), one resolved, two unchanged. */
export const smallReports = [
  smallReport('2026-08-12T06:00:00Z', 61, {
    NET002: { severity: 'critical', items: [nodePort] },
    NS002: { severity: 'info', items: [noQuota] },
    SEC003: { severity: 'critical', items: [asRoot('web-65cc8855c-ghk9m'), asRoot('cart-77ff9f6fd6-rzcxj')] },
    SEC014: { severity: 'critical', items: [] },
    WRK007: { severity: 'warning', items: [noProbes('web'), noProbes('cart')] },
  }),
  smallReport('2026-08-24T06:00:00Z', 72.5, {
    NET002: { severity: 'critical', items: [] },
    NS002: { severity: 'info', items: [noQuota] },
    SEC003: { severity: 'critical', items: [asRoot('web-5f7d9b6c4d-x8w2z'), asRoot('cart-6b5f8d7c9f-q4t7v')] },
    SEC014: { severity: 'critical', items: [] },
    WRK007: { severity: 'warning', items: [noProbes('web')] },
  }),
  smallReport('2026-08-31T06:00:00Z', 80, {
    NET002: { severity: 'critical', items: [nodePort] },
    NS002: { severity: 'warning', items: [noQuota] },
    SEC003: { severity: 'critical', items: [asRoot('cart-5d9c7b8f66-k2j4x')] },
    SEC014: { severity: 'critical', items: [registry] },
    WRK007: { severity: 'warning', items: [noProbes('web')] },
  }),
]

const smallCatalog: BundledProject[] = [
  project('argo-cd', 'Argo CD', 'Keeps clusters in the state that a Git repository declares', {
    cncf_status: 'graduated',
    repo_url: 'https://github.com/argoproj/argo-cd',
    helm_chart_repo: 'https://argoproj.github.io/argo-helm',
    helm_chart_names: ['argo-cd'],
    image_repositories: ['quay.io/argoproj/argocd'],
    releases: [
      release('pre', 'v3.6.0-rc1', '2026-08-30'),
      release('app', 'v3.5.1', '2026-08-20'),
      release('app', 'v3.4.8', '2026-07-15'),
      release('helm', '10.1.1', '2026-08-21', 'argo-cd'),
      release('helm', '9.1.0', '2026-05-02', 'argo-cd'),
    ],
  }),
  project('argo-workflows', 'Argo Workflows', 'Runs workflows of containers as Kubernetes resources', {
    cncf_status: 'graduated',
    repo_url: 'https://github.com/argoproj/argo-workflows',
  }),
  project('kube-state-metrics', 'kube-state-metrics', 'Tells the state of Kubernetes objects as metrics', {}),
  project('kubernetes', 'Kubernetes', 'Runs containers on many machines', {
    cncf_status: 'graduated',
    repo_url: 'https://github.com/kubernetes/kubernetes',
    releases: [release('app', 'v1.36.0', '2026-08-26'), release('app', 'v1.34.2', '2026-01-10')],
  }),
  project('nginx', 'NGINX', 'Web server, reverse proxy and load balancer', {
    cncf_status: 'open-source',
    repo_url: 'https://github.com/nginx/nginx',
    image_repositories: ['docker.io/library/nginx'],
    releases: [
      release('app', '2.0.1', '2026-08-30'),
      release('app', '1.27.4', '2026-02-05'),
      release('app', '1.27.3', '2025-11-26'),
    ],
  }),
]

function project(slug: string, name: string, description: string, more: Partial<BundledProject>): BundledProject {
  return {
    slug,
    name,
    description,
    category: 'Platform',
    cncf_status: 'open-source',
    homepage: `https://${slug}.example`,
    docs_url: `https://${slug}.example/docs`,
    repo_url: '',
    helm_chart_repo: null,
    helm_chart_names: [],
    image_repositories: [],
    tag_pattern: null,
    history: {
      known_until: catalogDate,
      complete_since: '2020-01-01',
      basis: 'every version tag of the repository',
      charts: { [slug]: { known_until: catalogDate, complete_since: '2020-01-01' } },
    },
    releases: [],
    ...more,
  }
}

function release(
  type: BundledRelease['type'],
  version: string,
  day: string,
  chartName: string | null = null,
): BundledRelease {
  const url = `https://releases.example/${chartName ?? 'tag'}/${version}`
  return { type, version, chartName, appVersion: null, publishedAt: parseTimestamp(day)!, url }
}

/** Publishes a release in the catalog of a store, as an admin does. */
export async function addRelease(home: string, project: string, version: string): Promise<void> {
  const found = await runCli(['api', 'GET', '/projects', '-f', `search=${project}`], { home })
  const { id } = JSON.parse(found.stdout).items[0]
  const fields = ['-F', `product_id=${id}`, '-f', `version=${version}`, '-f', 'type=app']
  const { code, stderr } = await runCli(['api', 'POST', '/add-release', ...fields], { home })
  if (code !== 0) throw new Error(stderr)
}
