import { findFault } from './known-faults.ts'
import type { Look } from './run-findings.ts'
import type { NotRunCheck } from './scan.ts'

/** What an earlier run of the series read and this one did not. It stays expected until a run reads it, or it ends. */
export interface Missed {
  /** Checks that the report lacks. */
  checks: string[]
  /** Classes of results that it lacks. */
  parts: string[]
  namespaces: string[]
  /** Kinds of operator reports. */
  kinds: string[]
  /** Checks that the report has, and that did not run. */
  notRun: string[]
}

/** `known`: what this run and those before it looked at; absent if these looked at no more. */
export function findMissed({ known, scope, checksNotRun }: Look & { known?: Look | undefined }): Missed {
  if (!known) return { checks: [], parts: [], namespaces: [], kinds: [], notRun: [] }
  const ids = checksNotRun.map(({ id }) => id)
  const neverRan = new Set(known.checksNotRun.map(({ id }) => id))
  const apart = new Set([...(scope.checkIds ?? []), ...ids])
  return {
    checks: scope.checkIds ? without(known.scope.checkIds ?? [], apart) : [],
    parts: without(known.scope.parts ?? [], new Set(scope.parts)),
    namespaces: [
      // These count as checks that did not run.
      ...without(
        scope.excludedNamespaces,
        new Set([...known.scope.excludedNamespaces, ...(scope.unreportedNamespaces ?? [])]),
      ),
      ...(scope.includedNamespaces
        ? without(known.scope.includedNamespaces ?? [], new Set(scope.includedNamespaces))
        : []),
    ],
    kinds: without(kindsOf(scope), new Set(kindsOf(known.scope))),
    notRun: ids.filter((id) => !neverRan.has(id)),
  }
}

const kindsOf = ({ unreadKinds }: Look['scope']): string[] => unreadKinds?.map(({ kind }) => kind) ?? []

/** Items of a list that are not in a set, sorted. */
export const without = (list: string[], known: ReadonlySet<string>): string[] =>
  list.filter((entry) => !known.has(entry)).sort()

/** A check that did not run by a known fault of its scanner, with the reason. */
export interface FaultyCheck extends NotRunCheck {
  fault?: string | undefined
}

/** Marks checks that did not run by a known fault; not one that an earlier scan ran, because it may hide findings now. */
export function withFaults(checksNotRun: NotRunCheck[], { notRun }: Pick<Missed, 'notRun'>): FaultyCheck[] {
  const expected = new Set(notRun)
  return checksNotRun.map((check) => ({ ...check, fault: expected.has(check.id) ? undefined : findFault(check) }))
}
