import type { IncomparableFindings } from '../contract/cluster-report.ts'
import type { Finding } from '../contract/scan-finding.ts'
import type { CheckInfo } from './finding-index.ts'
import { checkAt, isUnlistedAt, namespaceAt } from './finding-records.ts'
import { keyOfSubject } from './ledger.ts'
import { mentionsNamespace } from './mentioned-namespace.ts'
import { toScopeId } from './named-vulnerability.ts'
import { keyOfPlace } from './place-sets.ts'
import type { Scope } from './read.ts'
import { Reported } from './reported.ts'
import type { Look, RunFindings } from './run-findings.ts'
import { stableResource } from './stable-name.ts'

/** Why a finding cannot be compared with another run. */
export type Incomparable = Pick<IncomparableFindings, 'reason' | 'detail'>

interface OtherRun extends Look, Pick<RunFindings, 'format' | 'sourceVersion' | 'images' | 'owners'> {
  /** This run is the earlier one: a namespace that it lacks is new, and was not left out. */
  isEarlier?: boolean
  index: Pick<RunFindings['index'], 'checks'>
}

/** Subjects of all findings of a run; a check has the position of its subject. */
export const allSubjects = ({ subjects, carriedSubjects = [] }: Pick<RunFindings, 'subjects' | 'carriedSubjects'>) => [
  ...subjects,
  ...carriedSubjects,
]

/** Returns why the other run could not have seen a finding of this run: by its record, then its texts, then its places. */
export function comparability(run: RunFindings, other: OtherRun) {
  const { format, index, scope } = run
  const reported = scope.coverage && new Reported(scope.coverage)
  const reportedThere = other.scope.coverage && new Reported(other.scope.coverage)
  const excluded = new Set(other.scope.excludedNamespaces)
  const own = new Set(scope.excludedNamespaces)
  const onlyThere = new Set([...excluded].filter((namespace) => !own.has(namespace)))
  const unreadReason = unreadReasons(scope, other.scope)
  // If each missing report is known, a kind without any reports needs no reason of its own.
  const ofCheck = reasonsByCheck(run, other, reportedThere ? () => undefined : unreadReason)
  const included = other.scope.includedNamespaces && new Set(other.scope.includedNamespaces)
  const isNarrower = narrows(scope, other)
  // Only an inventory with controllers is of all namespaces.
  const running = other.owners && new Set([...(other.images ?? []), ...other.owners].map(({ namespace }) => namespace))
  const seen = isNarrower && new Set(other.scope.namespaces)
  const isUnseen = (namespace: string) => seen && !seen.has(namespace) && running?.has(namespace) !== false
  const isExcluded = index.namespaces.map(
    (namespace) => excluded.has(namespace) || included?.has(namespace) === false || isUnseen(namespace),
  )
  return {
    record(at: number): Incomparable | undefined {
      // Another scanner has other checks: a finding of only one scanner is not a change.
      if (format !== other.format) return { reason: 'another_scanner' }
      const namespace = namespaceAt(index.records, at)
      // Findings that a check counts but does not list may be in any namespace.
      const isOutside =
        namespace === 0
          ? included !== undefined || isNarrower || (isUnlistedAt(index.records, at) && onlyThere.size > 0)
          : isExcluded[namespace - 1]
      if (isOutside) return { reason: 'namespace_not_in_scope' }
      return ofCheck[checkAt(index.records, at)]
    },
    finding(finding: Finding): Incomparable | undefined {
      const isThere = finding.namespace === null && mentionsNamespace(finding, onlyThere)
      return isThere ? { reason: 'namespace_not_in_scope' } : undefined
    },
    /**
     * The other run has no report about this place although a workload runs there, or may run there. `key`: see
     * `keyOfPlace`.
     */
    isMissing: (category: string, key: string): boolean =>
      reportedThere?.toState(category, key, reported) === 'missing',
    placeFor: (finding: Finding): string => placeOfFinding(finding, reported),
    /** Why the other run has no reports of this kind. */
    unreadReason,
  }
}

/**
 * Whether a later report is about fewer namespaces than it says: it has one where there were several, or none of those of
 * before.
 */
function narrows({ namespaces: before = [] }: Scope, { scope, isEarlier }: OtherRun): boolean {
  const { namespaces: now = [], includedNamespaces, coverage } = scope
  if (isEarlier || includedNamespaces || coverage || now.length === 0 || before.length === 0) return false
  return (now.length === 1 && before.length > 1) || new Set(now).isDisjointFrom(new Set(before))
}

type UnreadReason = (category: string) => string | undefined

/** Why the other run did not read a kind of report that this run read, by category of checks. */
function unreadReasons(scope: Scope, other: Scope): UnreadReason {
  const readHere = (kind: string) => !scope.unreadKinds?.some((unread) => unread.kind === kind)
  const unread = new Map(
    other.unreadKinds
      ?.filter(({ kind, isPartial }) => isPartial || readHere(kind))
      .map(({ category, reason }) => [category, reason]),
  )
  return (category) => unread.get(category) ?? unread.get('*')
}

/** Check → why none of its findings can be compared. */
function reasonsByCheck(run: RunFindings, other: OtherRun, unreadReason: UnreadReason): (Incomparable | undefined)[] {
  const swapped = otherCheck(run, other)
  const known = other.scope.checkIds === null ? undefined : new Set(other.scope.checkIds)
  const notRun = new Map(other.checksNotRun.map(({ id, reason }) => [id, reason]))
  const parts = other.scope.parts && new Set(other.scope.parts)
  const subjects = new Set(other.subjects.map((subject) => keyOfSubject(other.format, subject)))
  const isSubjectThere = allSubjects(run).map((subject) => subjects.has(keyOfSubject(run.format, subject)))
  return run.index.checks.map((check) => {
    if (!isSubjectThere[check.subject ?? 0]) return { reason: 'subject_not_in_run' }
    if (parts?.has(check.category) === false) return { reason: 'part_not_in_run' }
    const detail = notRun.get(check.id) ?? unreadReason(check.category)
    if (detail !== undefined) return { reason: 'check_not_run', detail }
    return known && !known.has(check.id) && !known.has(toScopeId(check))
      ? { reason: isNewer(other.sourceVersion, run.sourceVersion) ? 'check_withdrawn' : 'check_not_in_scope' }
      : swapped(check)
  })
}

/** Whether a version of a scanner is newer than another one. False if either is not stated. */
export function isNewer(version: string | null | undefined, than: string | null | undefined): boolean {
  const [own, other] = [version, than].map((text) => /^v?(\d+\..*)/.exec(text ?? '')?.[1])
  return own !== undefined && other !== undefined && own.localeCompare(other, 'en', { numeric: true }) > 0
}

/**
 * The last PowerShell builds of KubeBuddy use the id SC002 for two checks. They run in parallel, and the one that ends last
 * is in the report.
 */
const takingTurns = new Map([
  ['SC002', new Set(['StorageClass Prevents Volume Expansion', 'AKS Azure In-Tree Storage Provisioners'])],
])

/**
 * Returns whether the other run uses a check's id for another check. Within one version of a scanner, another name means
 * another check. A later version may have renamed it.
 */
function otherCheck(run: RunFindings, other: OtherRun): (check: CheckInfo) => Incomparable | undefined {
  const isSameVersion = (run.sourceVersion ?? null) === (other.sourceVersion ?? null)
  if (run.format !== 'kubebuddy' || other.format !== 'kubebuddy') return () => undefined
  const own = other.index.checks.filter(({ since }) => since === undefined)
  const names = new Map(own.map(({ id, name }) => [id, name]))
  return ({ id, name }) => {
    const there = names.get(id)
    if (there === undefined || there === name) return undefined
    const pair = takingTurns.get(id)
    if (pair?.has(name) && pair.has(there)) return { reason: 'takes_turns' }
    return isSameVersion ? { reason: 'another_check' } : undefined
  }
}

/** Key of the place that a finding is about. */
export function placeOfFinding({ category, namespace, resource, value }: Finding, reported?: Reported): string {
  const container = reported?.isPerContainer(category) ? (value ?? undefined) : undefined
  return keyOfPlace({
    namespace: namespace ?? '',
    resource: resource === null ? '' : stableResource(resource),
    container,
  })
}

export const missingReport: Incomparable = { reason: 'report_missing' }
