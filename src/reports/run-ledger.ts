import type { LedgerSubject } from '../contract/cluster-report.ts'
import { defined } from '../util/defined.ts'
import { findMissed, withFaults } from './missed.ts'
import { saysForbidden } from './not-run-text.ts'
import type { Look } from './run-findings.ts'

/**
 * Describes the parts and places of each subject that a run looked at, as far as its report states them, and what it missed
 * of `known`: what the runs before it looked at.
 */
export function describeLook(look: Look & { known?: Look | undefined }): LedgerSubject[] {
  const { subjects, scope, checksNotRun } = look
  const missed = findMissed(look)
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
  const ofBefore = (names: string[]) => {
    const known = new Set(names)
    return (name: string) => known.has(name) && { was_read: true as const }
  }
  const ran = ofBefore(missed.notRun)
  const notRun = withFaults(checksNotRun, missed).map(({ id, reason, fault, severity }) => ({
    name: id,
    ...(fault === undefined ? unread(reason) : { state: 'not_asked' as const, reason }),
    ...defined({ severity }),
    ...ran(id),
  }))
  const hadKind = ofBefore(missed.kinds)
  const hadCheck = ofBefore(missed.checks)
  const apart = new Set(notRun.map(({ name }) => name))
  const read = (scope.parts ?? checkIds ?? []).filter((name) => !apart.has(name))
  const parts = [
    ...read.map((name) => ({ name, state: 'read' as const })),
    ...notRun,
    ...unreadKinds.map(({ kind, reason }) => ({ name: kind, ...unread(reason), ...hadKind(kind) })),
    ...new Set([...excludedChecks, ...missed.checks])
      .values()
      .map((name) => ({ name, state: 'left_out' as const, ...hadCheck(name) })),
    ...missed.parts.map((name) => ({ name, state: 'left_out' as const, was_read: true as const })),
  ]
  const places = {
    read: includedNamespaces ?? ('all' as const),
    left_out: excludedNamespaces.filter((namespace) => !unreportedNamespaces.includes(namespace)),
    forbidden: [],
    failed: unreportedNamespaces,
    ...(missed.namespaces.length > 0 && { were_read: missed.namespaces }),
  }
  return subjects.map(({ kind, name, platform, category }) => ({
    kind,
    name,
    ...defined({ platform: platform || undefined, category: category || undefined }),
    parts,
    places,
  }))
}
