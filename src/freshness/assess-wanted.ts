import type { WantedChart } from '../contract/wanted.ts'
import type { Artifacts, ChartArtifact, WantedArtifact } from '../reports/artifact.ts'
import { isExactVersion, isSameVersion } from '../util/exact-version.ts'
import { readHelmRange } from '../util/helm-range.ts'
import { readHelmVersion } from '../util/helm-version.ts'
import { type AssessedChart, assessCharts, releaseKey } from './assess-charts.ts'
import type { AssessedItem } from './assessed.ts'
import type { CatalogFacts } from './prepare-catalog.ts'
import { toSteps } from './steps/to-steps.ts'

/** Running chart versions by release; the first one counts for equal keys. */
function installedVersions(charts: ChartArtifact[]) {
  const installed = charts.flatMap(({ name, release, namespace, version }): [string, string | null][] =>
    release === null ? [] : [[releaseKey(name, release, namespace), version]],
  )
  return new Map(installed.reverse())
}

/** Whether an exact wanted version differs from the running one; undefined if unknown. */
function isDrifted(version: string | null, running: string | null) {
  if (version === null || running === null || !isExactVersion(version)) return undefined
  return !isSameVersion(version, running)
}

/** Wanted charts compared with running ones, with the newest version and the next step. */
export function assessWanted(
  { wanted = [], charts }: Artifacts,
  assessed: AssessedItem[],
  known: CatalogFacts,
): WantedChart[] {
  const byKey = new Map(assessed.filter(({ type }) => type === 'helm_chart').map((one) => [one.key, one]))
  const installed = installedVersions(charts)
  return wanted.map((one) => {
    const { tool, kind, namespace, name, chart, repository, version, release, releaseNamespace } = one
    const own = release === null ? undefined : installed.get(releaseKey(chart, release, releaseNamespace))
    // Otherwise the version that the tool installed last.
    const running = own ?? one.running
    const is_exact = version !== null && chart !== null && isExactVersion(version)
    const drifted = isDrifted(version, running)
    const ran = chart === null ? undefined : (byKey.get(`${chart}@${running}`) ?? alone(one, running, known))
    const inRange = is_exact ? undefined : newestInRange(one, known)
    const item = ran ?? inRange
    const steps = ran && toSteps(ran)
    return {
      tool,
      kind,
      namespace,
      name,
      chart,
      repository,
      wanted_version: version,
      is_exact,
      running_version: running,
      state: chart === null || drifted === undefined ? 'unknown' : drifted ? 'drifted' : 'equal',
      artifact_key: running !== null && item && byKey.has(item.key) ? item.key : null,
      newest_version: item?.verdict.latest ?? null,
      newest_in_range: inRange && isSameProject(inRange, ran) ? inRange.currentVersion : null,
      next_version: steps?.urgent?.version ?? steps?.line?.version ?? steps?.next?.version ?? null,
    }
  })
}

/**
 * Newest release of a chart within a range. Undefined if the catalog has none, for example for another chart of that name,
 * or if several projects have one.
 */
function newestInRange(one: WantedArtifact, known: CatalogFacts) {
  const { chart, version } = one
  const isIn = readHelmRange(version ?? '*')
  if (chart === null || !isIn) return undefined
  const found = known.index.byChart(chart).flatMap((project) => {
    const inRange = known.book.chart(project, chart).stable.find(({ version: { bare } }) => {
      const read = readHelmVersion(bare)
      return read !== undefined && isIn(read)
    })
    const assessed = inRange && alone(one, inRange.version.text, known)
    return assessed?.match.project === project ? [assessed] : []
  })
  return found.length === 1 ? found[0] : undefined
}

const isSameProject = (one: AssessedChart, other: AssessedItem | undefined) =>
  other === undefined || one.match.project === other.match.project

/** For a chart that is not known to run, assesses the wanted version. */
function alone(one: WantedArtifact, running: string | null, known: CatalogFacts) {
  const { chart, version, release, releaseNamespace } = one
  const judged = running ?? (version !== null && isExactVersion(version) ? version : undefined)
  if (chart === null || judged === undefined) return undefined
  const artifact = { name: chart, version: judged, release, namespace: releaseNamespace, workload: null }
  const none = { images: [], apps: [], kubernetesVersion: null, imageSource: 'artifacts' as const }
  return assessCharts({ ...none, charts: [artifact], wanted: [one] }, [], known)[0]
}

/** Adds the state `drifted` to charts whose running version differs from the wanted one. */
export function markDrifted(charts: AssessedChart[], { wanted = [] }: Artifacts): AssessedChart[] {
  if (wanted.length === 0) return charts
  const named = wanted.flatMap((one) => (one.release === null ? [] : [{ ...one, release: one.release }]))
  const byRelease = Map.groupBy(named, ({ chart, release, releaseNamespace }) =>
    releaseKey(chart, release, releaseNamespace),
  )
  return charts.map((chart) => {
    const found = chart.artifacts.flatMap(({ name, version, release, namespace }) =>
      (release === null ? [] : (byRelease.get(releaseKey(name, release, namespace)) ?? [])).filter((one) =>
        isDrifted(one.version, version),
      ),
    )
    if (found.length === 0) return chart
    const [first] = found as [WantedArtifact]
    const where = [first.namespace, first.name].filter((part) => part !== null).join('/')
    const what = `${first.kind} ${where} wants ${first.version}, and ${chart.currentVersion} runs.`
    const reason = { state: 'drifted' as const, since: null, what, source: null, successors: [] }
    return { ...chart, states: { ...chart.states, reasons: [...chart.states.reasons, reason] } }
  })
}
