import { bundledStateFacts } from '../../src/catalog/state-facts.ts'
import type { KnownAdvisory } from '../../src/freshness/affected.ts'
import type { CatalogView, KnownRelease } from '../../src/freshness/catalog-view.ts'
import { StateFacts } from '../../src/freshness/facts/state-facts.ts'
import { prepareCatalog } from '../../src/freshness/prepare-catalog.ts'
import { endOfLifeFor } from '../../src/lifecycle/end-of-life.ts'

/** A release as `version` or `version day`. */
export interface ProjectFacts {
  slug: string
  name?: string
  images?: string[]
  charts?: Record<string, string[]>
  chartRepo?: string
  tagPattern?: string
  completeSince?: string
  /** Default: the day of the catalog. */
  knownUntil?: string
  app?: string[]
  pre?: string[]
  /** Versions with a security fix. */
  fixes?: Record<string, KnownRelease['severity']>
  /** Absent: nobody has told of any. */
  advisories?: KnownAdvisory[]
}

const date = '2026-08-22'

export const now = Date.UTC(2026, 7, 25) / 1000

const bundledFacts = new StateFacts(bundledStateFacts())

export const bundledEnd: CatalogView['endOfLifeFor'] = ({ slug }, segments, today) =>
  endOfLifeFor(slug, segments, { fetched: [], today })

export function catalogFor(...facts: ProjectFacts[]): CatalogView {
  const projects = facts.map(
    (
      { slug, name = slug, images = [], charts = {}, chartRepo, tagPattern, advisories, knownUntil = date, ...facts },
      index,
    ) => ({
      id: index + 1,
      slug,
      name,
      repoUrl: `https://example.com/${slug}`,
      helmChartRepo: chartRepo ?? null,
      imageRepositories: images,
      chartNames: Object.keys(charts),
      tagPattern: tagPattern ?? null,
      completeSince: facts.completeSince,
      knownUntil,
      chartsKnownUntil: Object.fromEntries(Object.keys(charts).map((chart) => [chart, knownUntil])),
      hasAdvisories: advisories !== undefined,
    }),
  )
  return {
    date,
    projects,
    releasesFor: (id) => releasesFor(facts[id - 1]!),
    advisoriesFor: (id) => facts[id - 1]!.advisories,
    endOfLifeFor: bundledEnd,
    facts: bundledFacts,
  }
}

export function knownOf(...facts: ProjectFacts[]) {
  return prepareCatalog(catalogFor(...facts), now)
}

function releasesFor({ app = [], pre = [], charts = {}, fixes = {} }: ProjectFacts): KnownRelease[] {
  let id = 0
  const read = (text: string, type: KnownRelease['type'], chartName: string | null = null) => {
    const [version = '', day = '2026-01-01'] = text.split(' ')
    const severity = fixes[version] ?? 'none'
    const publishedAt = Date.parse(day) / 1000
    return { id: ++id, version, type, chartName, publishedAt, hasSecurityFix: severity !== 'none', severity }
  }
  return [
    ...app.map((text) => read(text, 'app')),
    ...pre.map((text) => read(text, 'pre')),
    ...Object.entries(charts).flatMap(([chart, versions]) => versions.map((text) => read(text, 'helm', chart))),
  ]
}

export const nginx: ProjectFacts = {
  slug: 'nginx',
  name: 'NGINX',
  completeSince: '2020-01-01',
  images: ['docker.io/library/nginx', 'docker.io/bitnami/nginx', 'public.ecr.aws/docker/library/nginx'],
  charts: { nginx: ['22.1.1', '22.1.0', '21.1.23', '21.1.6'] },
  chartRepo: 'https://charts.bitnami.com/bitnami',
  app: [
    '1.31.4 2026-08-19',
    '1.31.3 2026-07-15',
    '1.30.4 2026-07-15',
    '1.29.8 2026-04-07',
    '1.28.3 2026-03-24',
    '1.27.5 2025-04-16',
    '1.27.4 2025-02-05',
    '1.27.3 2024-11-26',
    '1.26.3 2025-02-05',
  ],
  fixes: { '1.31.3': 'high', '1.27.4': 'medium' },
}

export const argoCd: ProjectFacts = {
  slug: 'argo-cd',
  name: 'Argo CD',
  images: ['quay.io/argoproj/argocd', 'docker.io/argoproj/argocd'],
  charts: { 'argo-cd': ['10.1.1 2026-07-01', '10.0.1', '9.5.21', '9.5.10'] },
  chartRepo: 'https://argoproj.github.io/argo-helm',
  app: ['v3.5.1 2026-08-10', 'v3.4.9', 'v3.3.4', 'v3.2.0'],
}

export const grafana: ProjectFacts = {
  slug: 'grafana',
  name: 'Grafana',
  images: ['docker.io/grafana/grafana', 'docker.io/bitnami/grafana'],
  charts: { grafana: ['10.5.15', '10.5.14', '10.4.0'] },
  chartRepo: 'https://grafana.github.io/helm-charts',
  app: ['v13.2.0', 'v13.1.4', 'v13.0.7', 'v13.0.1+security-01', 'v13.0.1', 'v12.4.9', 'v11.6.16'],
}

export const redis: ProjectFacts = {
  slug: 'redis',
  name: 'Redis',
  images: ['docker.io/library/redis', 'docker.io/bitnami/redis'],
  charts: { redis: ['23.1.1', '22.0.7', '22.0.1', '21.2.14'] },
  chartRepo: 'https://charts.bitnami.com/bitnami',
  app: ['8.10.1', '8.8.2', '8.2.9', '7.4.11', '7.2.16', '6.2.24'],
}

export const kubernetes: ProjectFacts = {
  slug: 'kubernetes',
  name: 'Kubernetes',
  images: ['registry.k8s.io/kube-proxy'],
  app: ['v1.36.4', 'v1.36.3', 'v1.35.8', 'v1.34.11', 'v1.34.10', 'v1.33.13', 'v1.33.8', 'v1.32.13'],
}

export const istio: ProjectFacts = {
  slug: 'istio',
  name: 'Istio',
  images: ['docker.io/istio/pilot', 'docker.io/istio/proxyv2'],
  charts: { base: ['1.30.3', '1.29.6'], gateway: ['1.30.3', '1.29.6'] },
  app: ['1.30.3', '1.29.6'],
}
