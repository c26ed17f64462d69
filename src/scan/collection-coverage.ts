import type { Collection } from '../reports/formats/collection.ts'
import { withMore } from '../util/words.ts'
import type { ReadKind } from './collected-kind.ts'
import type { ReportSource } from './report-source.ts'
import type { Running } from './running.ts'

/** What a collection says about missing reports. */
export type CollectionCoverage = Pick<
  Collection,
  'running' | 'running_gap' | 'unreported_namespaces' | 'unreported_workloads'
>

interface Known {
  running: Running
  /** Why not all that runs is known. */
  gap: string | undefined
}

const mostNamed = 50
/** In a sentence. */
const mostSaid = 5

/** Compares what runs with what is reported. */
export function coverageOf(read: ReadKind[], { running, gap }: Known): CollectionCoverage {
  if (gap !== undefined) {
    return { running: null, running_gap: gap, unreported_namespaces: [], unreported_workloads: [] }
  }
  const namespaces = withoutReports(read, running.namespaces())
  return {
    running: running.rows(),
    unreported_namespaces: namespaces,
    unreported_workloads: read.flatMap((each) => unreportedOf(each, running, new Set(namespaces))),
  }
}

/** Namespaces with workloads of which a report is missing. A kind without any report is a gap of its own. */
function withoutReports(read: ReadKind[], namespaces: string[]): string[] {
  const filled = read.filter(({ reports }) => reports !== undefined && reports.count > 0)
  const perWorkload = filled.filter(({ kind }) => kind.perWorkload).map(({ reports }) => reports!.namespaces)
  const anywhere = new Set(filled.flatMap(({ reports }) => [...reports!.namespaces]))
  const wanted = perWorkload.length > 0 ? perWorkload : [anywhere]
  return namespaces.filter((namespace) => wanted.some((places) => !places.has(namespace))).sort()
}

/** Workloads of namespaces that are reported. */
function unreportedOf({ kind, reports }: ReadKind, running: Running, unreported: Set<string>) {
  if (!kind.perWorkload || !reports || reports.count === 0) return []
  const tops = running.workloads().filter(([namespace]) => !unreported.has(namespace))
  const missing = tops.filter(([namespace, resource]) => !reports.workloads.has(`${namespace}\n${resource}`))
  if (missing.length === 0) return []
  const workloads = missing.slice(0, mostNamed).map(([namespace, resource]) => `${namespace}/${resource}`)
  return [{ kind: kind.kind, workloads, missing: missing.length, of: tops.length }]
}

/** One sentence each. */
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
        `${missing} of ${of} workloads have no ${kind}, so their findings are not compared: ${first(names, missing)}`,
    ),
  ]
}
