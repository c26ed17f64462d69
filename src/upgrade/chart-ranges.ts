import type { Compatibility } from '../contract/upgrade-facts.ts'
import { compareHelmVersions, readHelmVersion } from '../util/helm-version.ts'
import { isInChartRange } from './chart-kubernetes.ts'
import { chartVersioned } from './part-of.ts'

/** A chart release that states its Kubernetes version range. */
export interface ChartRelease {
  slug: string
  chart: string
  version: string
  appVersion: string | null
  kubeVersion: string
  /** URL of the charts. */
  source: string
  /** Day of the release, `YYYY-MM-DD`. */
  day: string
}

/** Kubernetes requirements of the newest chart in each release line, as Helm interprets them. */
export function chartRows(
  releases: readonly ChartRelease[],
  toLines: (slug: string) => readonly string[],
): Compatibility[] {
  return [...Map.groupBy(releases, ({ slug }) => slug)].flatMap(([slug, own]) => {
    const lines = toLines(slug)
    const isMain = mainChart(slug, own)
    const numbers = (lines[0] ?? '1.0').split('.').length
    const byLine = Map.groupBy(own, (release) => formatLine(release, numbers))
    const rows = [...byLine].flatMap(([line, same]) => {
      if (line === undefined) return []
      return [...Map.groupBy(same, ({ chart }) => chart).values()].flatMap((one) => toRow(line, newest(one), isMain))
    })
    // An old minimum alone does not depend on a Kubernetes version.
    return lines.length > 0 || rows.some(({ kubernetes_max }) => kubernetes_max !== null) ? rows : []
  })
}

/** Of several charts, the one named after the project. */
function mainChart(slug: string, releases: ChartRelease[]): (chart: string) => boolean {
  const charts = new Set(releases.map(({ chart }) => chart))
  return (chart) => charts.size === 1 || chart === slug
}

function formatLine({ slug, version, appVersion }: ChartRelease, numbers: number) {
  const text = chartVersioned.includes(slug) ? version : appVersion
  const found = /^v?(\d+(?:\.\d+)*)(?![\w.])/.exec(text ?? '')?.[1]?.split('.')
  return found && found.length >= numbers ? found.slice(0, numbers).join('.') : undefined
}

function newest(releases: ChartRelease[]) {
  return releases.reduce((one, other) => {
    const [a, b] = [readHelmVersion(one.version), readHelmVersion(other.version)]
    return !a || (b && compareHelmVersions(b, a) > 0) ? other : one
  })
}

function toRow(
  line: string,
  { slug, chart, version, kubeVersion, source, day }: ChartRelease,
  isMain: (chart: string) => boolean,
): Compatibility[] {
  const bounds = toBounds(kubeVersion)
  if (!bounds) return []
  const [kubernetes_min, kubernetes_max] = bounds
  const about = { slug, line, kind: 'required' as const, source, as_of: day }
  const stated = { name: chart, version, range: kubeVersion, isMain: isMain(chart) }
  return [{ ...about, kubernetes_min, kubernetes_max, chart: stated }]
}

const [firstMinor, lastMinor] = [1, 99]
const minors = Array.from({ length: lastMinor - firstMinor + 1 }, (_, index) => firstMinor + index)

/** The first and last minor version in a range; null if unbounded. Undefined for an empty range. */
function toBounds(range: string): [min: string | null, max: string | null] | undefined {
  const inside = minors.filter((minor) => isInChartRange(range, `1.${minor}`, ''))
  const [first, last] = [inside[0], inside.at(-1)]
  if (first === undefined || last === undefined) return undefined
  return [first === firstMinor ? null : `1.${first}`, last === lastMinor ? null : `1.${last}`]
}
