import type { LedgerSubject } from '../contract/cluster-report.ts'
import { defined } from '../util/defined.ts'
import { findFault } from './known-faults.ts'
import { saysForbidden } from './not-run-text.ts'
import type { Look } from './run-findings.ts'

/** Describes the parts and places of each subject that a run looked at, as far as its report states them. */
export function describeLook({ subjects, scope, checksNotRun }: Look): LedgerSubject[] {
  const {
    excludedNamespaces,
    includedNamespaces,
    unreportedNamespaces = [],
    unreadKinds = [],
    checkIds,
    excludedChecks = [],
  } = scope
  const unread = (reason: string) => ({
    state: saysForbidden(reason) ? ('forbidden' as const) : ('failed' as const),
    reason,
  })
  const notRun = checksNotRun.map((check) => ({
    name: check.id,
    ...(findFault(check) === undefined ? unread(check.reason) : { state: 'not_asked' as const, reason: check.reason }),
  }))
  const apart = new Set(notRun.map(({ name }) => name))
  const read = (scope.parts ?? checkIds ?? []).filter((name) => !apart.has(name))
  const parts = [
    ...read.map((name) => ({ name, state: 'read' as const })),
    ...notRun,
    ...unreadKinds.map(({ kind, reason }) => ({ name: kind, ...unread(reason) })),
    ...excludedChecks.map((name) => ({ name, state: 'left_out' as const })),
  ]
  const places = {
    read: includedNamespaces ?? ('all' as const),
    left_out: excludedNamespaces.filter((namespace) => !unreportedNamespaces.includes(namespace)),
    forbidden: [],
    failed: unreportedNamespaces,
  }
  return subjects.map(({ kind, name, platform, category }) => ({
    kind,
    name,
    ...defined({ platform: platform || undefined, category: category || undefined }),
    parts,
    places,
  }))
}
