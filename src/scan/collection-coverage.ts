import type { Collection } from '../reports/formats/collection.ts'
import { nounFor, withMore } from '../util/words.ts'
import type { CollectedKind, ReadKind } from './collected-kind.ts'
import type { ReportSource } from './report-source.ts'
import type { Running, RunningWorkload } from './running.ts'

/** Missing reports of a collection. */
export type CollectionCoverage = Pick<
  Collection,
  'running' | 'running_gap' | 'unreported_namespaces' | 'unreported_workloads'
>

const mostNamed = 50
/** Maximum names in a sentence. */
const mostSaid = 5

/** Compares running workloads with reported ones; `gap` says why the running ones are incomplete. */
export function toCoverage(read: ReadKind[], running: Running, gap: string | undefined): CollectionCoverage {
  if (gap !== undefined) {
    return { running: null, running_gap: gap, unreported_namespaces: [], unreported_workloads: [] }
  }
  const namespaces = withoutReports(read, running.namespaces())
  return {
    running: running.rows(),
    unreported_namespaces: namespaces,
    unreported_workloads: unreportedWorkloads(read, running, new Set(namespaces)),
  }
}

/** Namespaces with workloads that lack a report. A kind without any report is a separate gap. */
function withoutReports(read: ReadKind[], namespaces: string[]) {
  const filled = read.filter(({ reports }) => reports !== undefined && reports.count > 0)
  const perWorkload = filled
    .filter(({ kind }) => kind.per !== undefined && !kind.isOfImage)
    .map(({ reports }) => reports!.namespaces)
  const anywhere = new Set(filled.flatMap(({ reports }) => [...reports!.namespaces]))
  const wanted = perWorkload.length > 0 ? perWorkload : [anywhere]
  return namespaces.filter((namespace) => wanted.some((places) => !places.has(namespace))).sort()
}

/** Workloads without a report in reported namespaces. */
function unreportedWorkloads(read: ReadKind[], running: Running, unreported: Set<string>) {
  const workloads = running.workloads().filter(({ namespace }) => !unreported.has(namespace))
  const toImages = read.find(({ kind }) => kind.kind === 'VulnerabilityReport')?.reports
  return read.flatMap(({ kind, reports }) => {
    if (kind.per === undefined || !reports || reports.count === 0) return []
    const lacks =
      kind.per === 'workload'
        ? withoutReport(reports)
        : withoutContainers(reports, workloads, kind.isOfImage ? toImages : undefined)
    const missing = workloads.flatMap((workload) => lacks(workload) ?? [])
    if (missing.length === 0) return []
    return [{ kind: kind.kind, workloads: missing.slice(0, mostNamed), missing: missing.length, of: workloads.length }]
  })
}

/** Names a workload that lacks a report, with the unreported containers if others have a report. */
type Lacks = (workload: RunningWorkload) => string | undefined

const toName = ({ namespace, resource }: RunningWorkload) => `${namespace}/${resource}`

const withoutReport =
  (reports: CollectedKind): Lacks =>
  (workload) =>
    reports.reports(workload.namespace, workload.resource) ? undefined : toName(workload)

/**
 * An operator may be configured to skip init containers, so these are only expected if at least one has a report. Ephemeral
 * containers are temporary.
 */
function withoutContainers(
  reports: CollectedKind,
  workloads: RunningWorkload[],
  toImages: CollectedKind | undefined,
): Lacks {
  const isReported = ({ namespace, resource }: RunningWorkload, name: string) =>
    reports.reportsContainer(namespace, resource, name)
  const scansInit = workloads.some((workload) =>
    workload.containers.some(({ name, role }) => role === 'init' && isReported(workload, name)),
  )
  const images = toImages && reports.images()
  const isOfReportedImage = ({ namespace, resource }: RunningWorkload, name: string) => {
    const image = toImages?.toImage(namespace, resource, name)
    return image !== undefined && images!.has(image)
  }
  return (workload) => {
    const expected = workload.containers.filter(({ role }) => role === undefined || (role === 'init' && scansInit))
    const missing = expected.filter(({ name }) => !isReported(workload, name) && !isOfReportedImage(workload, name))
    if (missing.length === 0) return undefined
    if (missing.length === expected.length) return toName(workload)
    return `${toName(workload)} (${nounFor(missing.length, 'container')} ${missing.map(({ name }) => name).join(', ')})`
  }
}

/** Warnings about missing reports, one sentence each. */
export function coverageWarnings(source: ReportSource, coverage: CollectionCoverage): string[] {
  const { running_gap, unreported_namespaces: namespaces, unreported_workloads: workloads = [] } = coverage
  const first = (names: string[], count: number) => withMore(names.slice(0, mostSaid).join(', '), count - mostSaid)
  return [
    ...(running_gap === undefined
      ? []
      : [
          `relt cannot check whether each workload is reported, because not all workloads could be read: ${running_gap}`,
        ]),
    ...(namespaces.length === 0
      ? []
      : [
          `${source} has not reported these namespaces completely: ${first(namespaces, namespaces.length)}. Findings of workloads without a report are not compared.`,
        ]),
    ...workloads.map(
      ({ kind, workloads: names, missing, of }) =>
        `${missing} of ${of} workloads have no complete ${kind} data, so their findings are not compared: ${first(names, missing)}`,
    ),
  ]
}
