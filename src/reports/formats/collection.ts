import { checkOfNamespace } from '../place-check.ts'
import type { ReportedCoverage, UnreadKind } from '../read.ts'
import { string, strings } from '../text.ts'
import type { ScanCollector } from './collector.ts'
import { number, object, objects, time } from './values.ts'

/** Member beside `items` in a list of reports from `relt scan collect`: how complete the list is. */
export interface Collection {
  source: string
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  collected_at: string
  /** Kinds without a report in the list. */
  unread_kinds: (UnreadKind & {
    /** An operator with default settings creates reports of this kind. */
    expected: boolean
  })[]
  kubernetes_version?: string
  /** Namespaces with workloads that lack a report. */
  unreported_namespaces: string[]
  /** Workloads in other namespaces that lack a report of a kind; only some are named. */
  unreported_workloads?: { kind: string; workloads: string[]; missing: number; of: number }[]
  /** Workloads that run; null if some could not be read. */
  running?: ReportedCoverage['running']
  /** Why the running workloads could not be read. */
  running_gap?: string
}

const maxKinds = 20
const maxNamespaces = 10_000
const maxRunning = 500_000
const maxContainers = 1000

/** Adds what the list lacks to the scan, as checks that did not run. */
export function readCollection(value: unknown, collector: ScanCollector) {
  const collection = object(value)
  const unreadKinds: UnreadKind[] = []
  for (const row of objects(collection.unread_kinds).slice(0, maxKinds)) {
    const [kind, category, reason] = [row.kind, row.category, row.reason].map((text) => string(text)?.slice(0, 500))
    if (!kind || !reason) continue
    if (category) unreadKinds.push({ kind, category, reason })
    if (row.expected === true)
      collector.notRun({ id: kind, name: `Reports of the kind ${kind}`, category: 'Coverage' }, reason)
  }
  const unreportedNamespaces = strings(collection.unreported_namespaces).slice(0, maxNamespaces)
  for (const namespace of unreportedNamespaces) {
    collector.notRun(checkOfNamespace(namespace), 'The operator has not reported this namespace completely.')
  }
  for (const row of objects(collection.unreported_workloads).slice(0, maxKinds)) noteUnreported(row, collector)
  const gap = string(collection.running_gap)
  if (collection.running === null) {
    const name = 'Reports of all workloads'
    collector.notRun({ id: 'coverage', name, category: 'Coverage' }, `Not all workloads could be read: ${gap ?? ''}`)
  }
  return {
    generatedAt: time(collection.collected_at),
    kubernetesVersion: string(collection.kubernetes_version),
    unreadKinds,
    unreportedNamespaces,
    running: readRunning(collection.running),
  }
}

/** An API server returns a long list in pages, and marks each page that is not the last. */
export function checkListEnd(metadata: unknown, collector: ScanCollector) {
  const { continue: token, remainingItemCount } = object(metadata)
  const isPart = (token != null && token !== '') || (number(remainingItemCount) ?? 0) > 0
  if (isPart) collector.gap('Reports', 'the list is a part of a longer one')
}

function noteUnreported(row: Record<string, unknown>, collector: ScanCollector) {
  const [kind, missing, of] = [string(row.kind), number(row.missing), number(row.of)]
  if (kind === undefined || missing === undefined || of === undefined) return
  const names = strings(row.workloads)
  const more = missing > names.length ? ` and ${missing - names.length} more` : ''
  const check = { id: `workloads without ${kind}`, name: `A ${kind} of each workload`, category: 'Coverage' }
  collector.notRun(check, `${missing} of ${of} workloads lack one: ${names.join(', ')}${more}`)
}

/** Undefined if the list does not state which workloads ran. */
function readRunning(value: unknown): ReportedCoverage['running'] | undefined {
  if (value === null) return null
  if (!Array.isArray(value)) return undefined
  return value.slice(0, maxRunning).flatMap((row) => {
    const [namespace, resource, ...containers] = Array.isArray(row) ? row.slice(0, maxContainers) : []
    if (typeof namespace !== 'string' || typeof resource !== 'string') return []
    return [[namespace, resource, ...containers.filter((name) => typeof name === 'string')]]
  })
}
