import { checkOfNamespace } from '../place-check.ts'
import type { UnreadKind } from '../read.ts'
import { string, strings } from '../text.ts'
import type { Head, ScanCollector } from './collector.ts'
import { object, objects, time } from './values.ts'

/** Member of a list of reports that `relt scan collect` writes beside `items`: how complete the list is. */
export interface Collection {
  source: string
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  collected_at: string
  /** Kinds of reports without a report in the list. */
  unread_kinds: (UnreadKind & {
    /** An operator with its default settings has reports of this kind. */
    expected: boolean
  })[]
  /** Namespaces with workloads of which a report is missing. */
  unreported_namespaces: string[]
}

const maxKinds = 20
const maxNamespaces = 10_000

/** Adds what the list lacks to the scan, as checks that did not run. */
export function readCollection(
  value: unknown,
  collector: ScanCollector,
): Pick<Head, 'generatedAt' | 'unreadKinds' | 'unreportedNamespaces'> {
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
  return { generatedAt: time(collection.collected_at), unreadKinds, unreportedNamespaces }
}
