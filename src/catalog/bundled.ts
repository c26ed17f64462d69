import { parseTimestamp } from '../util/time.ts'
import projects from './data/projects.json' with { type: 'json' }
import releases from './data/releases.json' with { type: 'json' }

/** The catalog that ships with relt: see docs/catalog.md for its sources and formats. */
export interface BundledProject {
  slug: string
  name: string
  description: string
  category: string
  cncf_status: string
  homepage: string
  docs_url: string | null
  repo_url: string
  helm_chart_repo: string | null
  helm_chart_names: string[]
  image_repositories: string[]
  tag_pattern: string | null
  releases: BundledRelease[]
}

export interface BundledRelease {
  type: 'app' | 'helm' | 'pre'
  version: string
  chartName: string | null
  appVersion: string | null
  /** Unix seconds. */
  publishedAt: number
  url: string
}

export function bundledProjects(): BundledProject[] {
  const bySlug = releases as unknown as Record<string, ReleaseRows | undefined>
  return projects.map((project) => ({
    ...project,
    releases: readReleases(project.repo_url, bySlug[project.slug] ?? {}),
  }))
}

/** One project's lines of `releases.json`. */
interface ReleaseRows {
  url?: { app?: string; helm?: Record<string, string> }
  app?: [version: string, date: string, url?: string][]
  helm?: Record<string, [version: string, date: string, appVersion: string | null, url?: string][]>
  pre?: [version: string, date: string, chart: string | null, appVersion: string | null, url?: string][]
}

function readReleases(repoUrl: string, rows: ReleaseRows): BundledRelease[] {
  const tagUrl = `${repoUrl}/releases/tag/{version}`
  const chartUrl = (chart: string) => rows.url?.helm?.[chart] ?? `${repoUrl}/releases`
  return [
    ...(rows.app ?? []).map(([version, date, url]) =>
      release('app', version, date, url ?? fill(rows.url?.app ?? tagUrl, version)),
    ),
    ...Object.entries(rows.helm ?? {}).flatMap(([chart, versions]) =>
      versions.map(([version, date, appVersion, url]) =>
        release('helm', version, date, url ?? fill(chartUrl(chart), version), chart, appVersion),
      ),
    ),
    ...(rows.pre ?? []).map(([version, date, chart, appVersion, url]) =>
      release('pre', version, date, url ?? fill(chart ? chartUrl(chart) : tagUrl, version), chart, appVersion),
    ),
  ]
}

function release(
  type: BundledRelease['type'],
  version: string,
  date: string,
  url: string,
  chartName: string | null = null,
  appVersion: string | null = null,
): BundledRelease {
  return { type, version, chartName, appVersion, publishedAt: parseTimestamp(date)!, url }
}

function fill(template: string, version: string): string {
  const plain = version.replace(/^v/, '')
  const words: Record<string, string> = {
    version,
    encoded: encodeURIComponent(version),
    plain,
    minor: /^\d+\.\d+/.exec(plain)?.[0] ?? '',
  }
  return template.replace(/\{(\w+)\}/g, (_, word: string) => words[word] ?? '')
}
