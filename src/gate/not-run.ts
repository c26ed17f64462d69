import type { CheckNotRun, IncomparableFindings } from '../contract/cluster-report.ts'
import type { GateRule } from '../contract/gate-rule.ts'
import type { ReceivedComparison, ReceivedRun } from '../contract/received/cluster-report.ts'
import { listed, count as plural } from '../util/words.ts'
import { checksNotRun } from '../views/not-run.ts'
import type { Acceptance } from './accept-not-run.ts'
import { listsArtifacts } from './divide-rules.ts'
import type { Gaps } from './rule-verdict.ts'
import { type Acceptances, addedScope, rulesOnChecks, scopeGaps } from './scope-gaps.ts'

interface NotRunEvidence {
  run: ReceivedRun
  comparison?: ReceivedComparison | undefined
  isUnsent?: boolean
}

const rulesOnChanges: readonly string[] = ['new', 'regressed', 'more']

/** Finds missing evidence for a rule: an empty report, checks that did not run, or a smaller scope than the accepted one. */
export function findGaps(rule: GateRule, evidence: NotRunEvidence, acceptances: Acceptances): Gaps {
  const { run, comparison, isUnsent } = evidence
  const isArtifactRule = rule.kind === 'compromised'
  if ((run.is_empty ?? run.total_checks === 0) && !(isArtifactRule && listsArtifacts(run))) {
    return { open: ['Nothing in the report was understood'], accepted: [] }
  }
  if (isArtifactRule) return { open: [], accepted: [] }
  const isOnChecks = rulesOnChecks.includes(rule.kind)
  const isOnChanges = rulesOnChanges.includes(rule.kind)
  // If vulnerabilities were scanned, checks that did not run may hide some.
  const isOnScan = rule.kind === 'exploited' && run.vulnerability_scan === true
  const gaps: Gaps[] = [
    scopeGaps(rule, evidence, acceptances),
    ...(isOnChecks || isOnScan ? [gapsOfRun(run, acceptances.notRun)] : []),
    ...(isOnChanges && comparison ? [gapsOfComparison(comparison, run.checks_not_run ?? [], acceptances.notRun)] : []),
    ...(rule.kind === 'score-drop' && comparison ? [gapsOfScores(comparison, acceptances)] : []),
    ...(isOnChecks && isUnsent ? [{ open: [], accepted: [unknownScope] }] : []),
  ]
  return {
    open: gaps.flatMap(({ open }) => open),
    accepted: gaps.flatMap(({ accepted }) => accepted),
    lacks: gaps.find(({ open }) => open.length > 0)?.lacks,
  }
}

const unknownScope = 'Only the server knows the accepted scope, so a check that is gone is not noticed'

/** A score with gaps that the later one lacks is not comparable with it. */
function gapsOfScores(comparison: ReceivedComparison, { notRun, newScope }: Acceptances): Gaps {
  const { from, to } = comparison
  const now = new Set(to?.checks_not_run?.map(({ check_id }) => check_id))
  const only = from?.checks_not_run?.filter(({ check_id }) => !now.has(check_id))
  const before = gapsOfEarlierRun(
    from && { ...from, ...(only && { checks_not_run: only, not_run_checks: only.length }) },
    notRun,
  )
  return { open: [...before.open, ...addedScope(comparison, newScope)], accepted: before.accepted }
}

function gapsOfRun(run: ReceivedRun, acceptance: Acceptance) {
  const { named, unnamed } = checksNotRun(run)
  const { open, accepted } = divide(
    named.filter(({ known_fault }) => known_fault === undefined),
    acceptance,
  )
  return {
    open: [
      ...(open.length > 0 ? [`${plural(open.length, 'check')} did not run: ${toNames(open)}`] : []),
      ...(unnamed > 0 ? [`${plural(unnamed, 'check')} did not run, and the server does not name them`] : []),
    ],
    accepted: accepted.length > 0 ? [`Allowed by the policy not to run: ${toNames(accepted)}`] : [],
  }
}

/** Findings of a check that did not run before may be new. */
function gapsOfComparison(comparison: ReceivedComparison, notRunNow: CheckNotRun[], acceptance: Acceptance): Gaps {
  if (!comparison.incomparable_findings) return gapsOfEarlierRun(comparison.from, acceptance)
  const known = new Set(notRunNow.map(({ check_id }) => check_id))
  const groups = comparison.incomparable_findings
    .filter(({ reason, count, check_id }) => reason === 'check_not_run' && count > 0 && !known.has(check_id))
    .map(({ check_id, check_name: name, count }) => ({ check_id, name, count }))
  const { open, accepted } = divide(groups, acceptance)
  const findings = open.reduce((sum, { count }) => sum + count, 0)
  const unreported = comparison.incomparable_findings
    .filter(({ reason }) => reason === 'report_missing')
    .reduce((sum, { count }) => sum + count, 0)
  return {
    open: [
      ...(findings > 0
        ? [`${plural(findings, 'finding')} may be new, because their checks did not run before: ${toNames(open)}`]
        : []),
      ...(unreported > 0
        ? [`Workloads that had ${plural(unreported, 'finding')} have no report now, so new ones are unknown`]
        : []),
    ],
    accepted: accepted.length > 0 ? [`Allowed by the policy not to run before: ${toNames(accepted)}`] : [],
  }
}

/** For a server that does not return incomparable findings. */
function gapsOfEarlierRun(from: ReceivedRun | null, acceptance: Acceptance): Gaps {
  if (!from) return { open: [], accepted: [] }
  const { open, accepted } = gapsOfRun(from, acceptance)
  return { open: open.map((text) => `In the earlier run ${text}`), accepted }
}

function divide<T extends { check_id: string }>(checks: T[], acceptance: Acceptance) {
  const { true: accepted = [], false: open = [] } = Object.groupBy(checks, ({ check_id }) =>
    acceptance.accepts(check_id) ? 'true' : 'false',
  )
  return { open, accepted }
}

const toNames = (checks: { check_id: string; name: string }[]): string =>
  listed(checks.map(({ check_id, name }) => (name === check_id ? name : `${name} (${check_id})`)))

const reasonWords: Record<IncomparableFindings['reason'], string> = {
  check_not_run: 'of checks that did not run',
  check_not_in_scope: 'of checks out of scope',
  check_withdrawn: 'of checks that the scanner has withdrawn',
  subject_not_in_run: 'of images, folders or tools that one scan is not about',
  part_not_in_run: 'of kinds of checks that one scan did not look at',
  namespace_not_in_scope: 'in namespaces out of scope',
  another_scanner: 'from another scanner',
  not_listed: 'that the report counts but does not list',
  report_missing: 'of workloads without a report now',
  another_check: 'of checks that share an id with others',
  takes_turns: 'of checks that take turns under one id',
}

/** Trivy leaves a class out of its report both when it found nothing and when it was not asked. */
const howToState =
  '; Trivy does not say whether it looked: name what it looked at by --looked-at vuln,secret, or by looked_at in the policy'

/** `12 findings are not compared: 7 of checks that did not run (PROM001), 5 in namespaces out of scope`. */
export function incomparableNote({
  incomparable_findings_count: count,
  incomparable_findings,
  to,
}: ReceivedComparison): string[] {
  if (!count) return []
  const groups = incomparable_findings ?? []
  const byReason = Map.groupBy(groups, ({ reason }) => reason)
  const parts = [...byReason].map(([reason, own]) => {
    const ids = [...new Set(own.map(({ check_id }) => check_id))]
    const sum = own.reduce((total, group) => total + group.count, 0)
    return `${sum} ${reasonWords[reason]}${reason === 'check_not_run' || reason === 'check_not_in_scope' ? ` (${listed(ids)})` : ''}`
  })
  const why = parts.length > 0 ? parts.join(', ') : 'the scope of the scan differs'
  const isSilent = to?.format === 'trivy' && byReason.has('part_not_in_run')
  return [`${plural(count, 'finding')} ${count === 1 ? 'is' : 'are'} not compared: ${why}${isSilent ? howToState : ''}`]
}
