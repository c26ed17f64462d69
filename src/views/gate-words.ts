import type { CheckNotRun, IncomparableFindings } from '../contract/cluster-report.ts'
import type { ReceivedRun } from '../contract/received/cluster-report.ts'
import type { Cause, RuleGap } from '../gate/cure.ts'
import type { GateResult, RuleResult } from '../gate/evaluate.ts'
import type { ExceptionUse } from '../gate/exception.ts'
import type { Gap } from '../gate/gap.ts'
import type { CodedReason, Reason, ReasonCode } from '../gate/reason.ts'
import type { FindingRuleKind, RuleOf } from '../gate/rule.ts'
import { forbiddenResource } from '../gate/undecided-line.ts'
import type { Violation } from '../gate/violation.ts'
import { coverageText } from '../reports/coverage-text.ts'
import { capital, count, listed } from '../util/words.ts'

/** The result of a gate in words. */
export interface SaidGate extends Omit<GateResult<string>, 'causes'> {
  causes: (Omit<Cause<string>, 'gaps'> & { cure: string })[]
  /** What leaves rules undecided. */
  undecided_by: (RuleGap<string> & { subject: string | null; cure: string })[]
  /** `coverage` as a sentence. */
  coverage_summary?: string
}

export type SaidRule = RuleResult<string>
export type SaidViolation = Violation<string>

/** `today`: `YYYY-MM-DD`, UTC. */
export function sayGate(result: GateResult, run: ReceivedRun, today: string): SaidGate {
  const { causes, rules, remarks, coverage } = result
  const said = causes.map(({ gaps, reason, ...cause }) => {
    const cure = cureFor(gaps[0]!, cause.parts, result.run_id)
    return { gaps, cause: { ...cause, reason: reasonText(reason), cure } }
  })
  return {
    ...result,
    rules: rules.map(sayRule),
    causes: said.map(({ cause }) => cause),
    undecided_by: said.flatMap(({ gaps, cause: { cure } }) =>
      gaps.map((gap) => ({ ...gap, reason: reasonText(gap.reason), subject: run.subject ?? null, cure })),
    ),
    ...(remarks && { remarks: remarks.map(reasonText) }),
    ...(coverage && { coverage_summary: coverageText(coverage, run, today) }),
  } as SaidGate
}

const sayRule = ({ reason, evidence, notes, allowed_unknown: allowed, ...rule }: RuleResult): SaidRule => ({
  ...rule,
  reason: reasonText(reason),
  evidence: evidence.map((each) => ({ ...each, message: reasonText(each.message) })),
  notes: notes.map(reasonText),
  allowed_unknown: allowed && reasonText(allowed),
})

/** `{name}` is a value, `{name:noun}` or `{name:noun|nouns}` a number of something. */
const valuePattern = /\{(\w+)(?::([^}|]+)(?:\|([^}]+))?)?\}/g

function reasonText(reason: Reason): string {
  if (typeof reason === 'string') return reason
  const words = sentences[reason.code]
  if (typeof words === 'function') return words(reason as never)
  return words.replace(valuePattern, (_, name: string, noun?: string, nouns?: string) => {
    const value = reason[name]
    if (noun !== undefined) return count(Number(value), noun, nouns)
    if (Array.isArray(value)) return listed(value)
    return typeof value === 'object' && value ? reasonText(value as CodedReason) : String(value)
  })
}

const sentences: Record<ReasonCode, string | ((values: never) => string)> = {
  no_freshness: 'Freshness is not available',
  no_findings: 'The findings of the run are not available',
  no_plans: 'The server does not plan upgrades',
  no_counts: 'The server does not list counts that rose',
  no_compared_paths: 'The server does not compare risk paths',
  no_compromised: 'The server does not report what is compromised',
  no_exploited: 'The server does not report which vulnerabilities are exploited',
  no_readiness: 'The server does not say whether the cluster is ready for AKS Automatic',
  not_finished: 'The server has not finished with the run: {state}',
  silent_fixes: '{reason}. The server does not report the missing fixes of {silent:artifact}',
  unsent: 'The server is unreachable, so the {what} are unknown',
  unsent_gone: 'Only the server knows what earlier scans read, so a check that is gone is not noticed',
  empty_report: 'Nothing in the report was understood',
  gaps: ({ gaps }: { gaps: Gap[] }) => gapsText(gaps),
  unnamed_checks: '{unnamed} checks that the server does not name',
  report_missing: 'Workloads that had findings have no report now',
  accepted_gaps: ({ by, gaps }: { by: string; gaps: Gap[] }) => `Not known, and accepted by ${by}: ${gapsText(gaps)}`,
  known_faults: ({ faults }: { faults: CheckNotRun[] }) => {
    const byFault = Map.groupBy(faults, ({ known_fault }) => known_fault)
    const named = [...byFault].map(([fault, own]) => `${own.map(({ check_id }) => check_id).join(', ')}: ${fault}`)
    const are = count(faults.length, 'check is', 'checks are')
    return `${are} not judged, a known fault of the scanner. ${named.join('. ')}`
  },
  unread_artifacts: 'Not all that runs is known. {gap}',
  no_artifacts: 'The run does not list the artifacts of the cluster',
  no_nodes: 'The inventory of the run has no nodes',
  expiring: ({ expiring, days }: { expiring: ExceptionUse[]; days: number }) =>
    `${count(expiring.length, 'exception')} will expire within ${days} days: ${listed(expiring.map(expiryText), mostNamed)}`,
  excepted: '{reason}; excepted until {until}',
  findings: ({ counted, allowed, ...rule }: RuleOf<FindingRuleKind> & { counted: number }) => {
    const isUsed = counted > 0 && counted <= allowed
    return `${foundText(counted, rule)}; ${isUsed ? `allowed: ${counted} of ${allowed}` : `${allowed} allowed`}`
  },
  unknown_severity: '{reason}. The severity of {more} more is unknown: {checks}',
  unread_findings: '{unread:open finding} of what the scan did not read, as they stood',
  taken_in: '{taken:finding} taken in, the first until {first}',
  suppressed: '{suppressed:suppressed finding} not counted',
  unrated: ({ count: many, unrated }: { count: number; unrated: string }) => {
    const how = unrated === 'ignore' ? 'by the severity that relt assigns' : `as ${unratedWords[unrated] ?? unrated}`
    return `${count(many, 'finding')} without a rating by the scanner: counted ${how} (unrated: ${unrated})`
  },
  events: '{events:event} not counted (events: ignore)',
  first_looked: '{first:finding} first looked at, where no scan had looked before',
  incomparable: incomparableText,
  renamed: ({ workloads, findings, probable }: { workloads: number; findings: number; probable: number }) =>
    `renamed: ${count(workloads, 'workload')}${probable > 0 ? `, ${probable} of them probably` : ''}, ${count(findings, 'finding')}`,
  unconfirmed: '{reason}. {unconfirmed:more is|more are} excepted under a former name: {exceptions}',
  no_baseline: ({ asked, spent }: { asked?: string; spent?: string }) => {
    if (asked !== undefined) return `Nothing to compare with: no run is meant by --baseline ${asked}`
    const isSpent = spent === undefined ? '' : `; begin: ${spent} is spent, it works for scans of that day`
    return `Nothing to compare with: no run passed this rule, and no person began a baseline${isSpent}`
  },
  baseline_of_scanner: 'The baseline is a run of another scanner, so its findings cannot be compared',
  no_score: 'The run has no score',
  score: 'The score is {score}; the minimum is {limit}',
  score_floor: 'The score is {score}, and may be as low as {floor} with what was not read',
  no_baseline_score: 'The baseline has no score',
  no_earlier_score: 'It has no earlier score',
  score_moved: 'The score went from {from} to {to}; it may drop by {limit}',
  score_moved_in_common: 'The score went from {from} and {delta} by the same checks; it may drop by {limit}',
  scores_incomparable: 'The two scans did not look at the same, so their scores cannot be compared',
  scores_not_compared: 'The scores are not compared',
  artifacts: ({ count: many, allowed, ...rule }: RuleOf<'security-behind'> & { count: number }) =>
    `${count(many, 'artifact')} ${behindText(rule)}; ${allowed} allowed`,
  in_state: ({ count: many, state, allowed }: { count: number; state: string; allowed: number }) =>
    `${count(many, `${state} artifact`)}; ${allowed} allowed`,
  known_share: (share: { noun: string; known: number; artifacts: number; nodes: number }) => {
    const nodes = share.nodes > 0 ? ` and ${count(share.nodes, 'node version')}` : ''
    return `${capital(share.noun)} are known for ${share.known || 'none'} of ${count(share.artifacts, 'artifact')}${nodes}`
  },
  above_known: '{count:artifact} newer than all releases that the catalog knows ({names})',
  old_facts: 'Facts about {count:artifact} ({names}) are too old to show that none is behind; the oldest are of {day}',
  managed: '{managed:component} of the managed offering not judged: upgrade the cluster to upgrade them',
  no_fix_known: '{behind:artifact} behind without a security fix in between that the catalog knows',
  unknown_projects: '{unknown} of {artifacts:artifact} of unknown projects',
  unknown_what_runs: 'It is not known what runs',
  age: 'The facts are {days:day} old; {allowed} allowed',
  no_age: 'The day of the facts is not known',
  age_not_judged: 'Their age is not judged',
  affected: '{count:artifact} affected by {an} advisory of {severity} severity or higher; {allowed} allowed',
  affected_by: 'Affected by {ids}; {out}',
  exploited: (values: { artifacts: number; findings: number; severity?: string; allowed: number }) => {
    const what = values.severity === undefined ? '' : ` of ${values.severity} severity or higher`
    const found = values.findings > 0 ? `; ${count(values.findings, 'finding')} of one` : ''
    return `${count(values.artifacts, 'artifact')} affected by an exploited vulnerability${what}${found}; ${values.allowed} allowed`
  },
  without_severity: '{count:advisory|advisories} without a severity ({ids}); set unknown_severity',
  unknown_versions: 'Advisories cannot be compared with the version of {count:artifact} ({names})',
  grace: 'Advisories published in the last {days:day} do not count yet',
  ignored: 'Ignored: {count:advisory|advisories} without a severity',
  no_kubernetes: 'The run does not state its Kubernetes version',
  no_end_of_support: 'The end of support of Kubernetes {version} is unknown: {why}',
  skew: '{versions:kubelet version} outside the allowed skew: {names}',
  skew_of: 'The kubelet is {skew}: {total:node} ({names})',
  no_skew: 'The kubelets of {nodes:node} are within the allowed skew',
  skew_unknown: 'The skew of the kubelet {kubelet} is not known: {why}',
  ended_on: '{support}: {total:node} ({names})',
  upgrade_blocked: ({ blockers, ...way }: Way & { blockers: number }) =>
    `${count(blockers, 'blocker')} on the way from ${wayText(way)}; 0 allowed`,
  upgrade_unknown: ({ first, more, ...way }: Way & { first: string; more: number }) =>
    `Whether anything blocks ${wayText(way)} is not known: ${first}${more > 0 ? `, and ${count(more, 'more reason')}` : ''}`,
  upgrade_unblocked: (way: Way) => `Nothing that is known blocks ${wayText(way)}`,
  upgrade_free: ({ parts, ...way }: Way & { parts: number }) =>
    `${count(parts, 'part')} checked: nothing blocks ${wayText(way)}`,
  no_paths: 'Neither report lists risk paths',
  path_incomparable: '{name} ({id}) is not compared: {reason}',
  more_paths: '{more:more risk path is|more risk paths are} not compared',
  paths_opened: '{opened:new risk path}; 0 allowed',
  paths_incomparable: '{paths:risk path} cannot be compared',
  readiness_not_said: 'The report does not say whether the cluster is ready for AKS Automatic',
  readiness_skipped: 'The scanner did not assess AKS Automatic',
  blockers_not_counted: 'The report does not count what blocks AKS Automatic, or counts others than it lists',
  blockers_not_ready: 'The report counts no blocker of AKS Automatic, and does not say that the cluster is ready',
  blockers: '{total:blocker} of AKS Automatic; {allowed} allowed',
}

const mostNamed = 5

const stateWords: Record<Gap['state'], string> = {
  forbidden: 'forbidden',
  failed: 'failed',
  left_out: 'left out',
  unknown: 'not known',
}

/** `Not read: 2 forbidden (SEC001, SEC002), 1 left out (namespace shop)` */
function gapsText(gaps: Gap[]): string {
  const byState = Map.groupBy(gaps, ({ state }) => state)
  const named = ({ part, place }: Gap) => (place === undefined ? part : `namespace ${place}`)
  const parts = [...byState].map(
    ([state, own]) => `${own.length} ${stateWords[state]} (${listed([...new Set(own.map(named))], mostNamed)})`,
  )
  return `Not read: ${parts.join(', ')}`
}

const expiryText = ({ source, expires, next_release_of: project }: ExceptionUse): string =>
  `${source} on ${expires}${project === undefined ? '' : `, or with the next release of ${project}`}`

/** `3 new findings at or above high`; omits "or above" for critical. */
function foundText(counted: number, { kind, severity }: { kind: string; severity: string }): string {
  const before = ['new', 'regressed'].includes(kind) ? `${kind} ` : ''
  const rose = kind === 'more' ? ' with a higher count' : ''
  const noun = severity === 'critical' ? 'critical finding' : 'finding'
  const least = severity === 'critical' ? '' : ` at or above ${severity}`
  return `${count(counted, `${before}${noun}`)}${rose}${least}`
}

const unratedWords: Record<string, string> = { undecided: 'unknown' }

function behindText({ kind, severity }: { kind: string; severity: string }): string {
  if (kind === 'eol') return 'past the end of life'
  return kind === 'major-behind' ? 'a major version behind' : `behind a security fix of ${severity} severity or higher`
}

interface Way {
  from: string | null
  to: string
}

const wayText = ({ from, to }: Way): string => `Kubernetes ${from ?? 'of an unknown version'} to ${to}`

const incomparableWords: Record<IncomparableFindings['reason'], string> = {
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
function incomparableText(values: { count: number; groups: IncomparableFindings[]; format?: string }): string {
  const byReason = Map.groupBy(values.groups, ({ reason }) => reason)
  const parts = [...byReason].map(([reason, own]) => {
    const ids = [...new Set(own.map(({ check_id }) => check_id))]
    const sum = own.reduce((total, group) => total + group.count, 0)
    const isNamed = reason === 'check_not_run' || reason === 'check_not_in_scope'
    return `${sum} ${incomparableWords[reason]}${isNamed ? ` (${listed(ids)})` : ''}`
  })
  const why = parts.length > 0 ? parts.join(', ') : 'the scope of the scan differs'
  const isSilent = values.format === 'trivy' && byReason.has('part_not_in_run')
  return `${count(values.count, 'finding is', 'findings are')} not compared: ${why}${isSilent ? howToState : ''}`
}

const cures: Record<string, string> = {
  inventory: 'Let relt list what runs: relt scan run',
  nodes: 'Let the scan list nodes: the verb list on nodes',
  severity: 'Say how to count what has no severity: unrated and unknown_severity in relt.yaml',
  kubernetes: 'Upload a report that states the version of Kubernetes',
  upgrade: 'See what is not known: relt upgrade plan',
  aks: 'Let KubeBuddy assess AKS Automatic',
  renamed: 'Say that it is the same workload: relt exceptions confirm ID, or widen its line in relt.yaml',
  score: 'Scan what the earlier run looked at, or take this one in: relt gate baseline',
  'risk paths': 'Run the checks that these paths rest on',
  report: 'Upload a report that relt understands, with the checks that ran',
  server: 'Judge it again when the server answers: relt gate check',
}

function cureFor(gap: Gap, parts: string[], run_id: string | null): string {
  const { part, place, state, reason } = gap
  const resource = forbiddenResource(gap)
  if (resource !== undefined) return `Grant the scanner the verbs get and list on ${resource}`
  const names = listed(parts.map((name) => (place === undefined ? name : `namespace ${name}`)))
  if (state === 'left_out') return `Scan ${names} again: an earlier scan read ${parts.length === 1 ? 'it' : 'them'}`
  if (state !== 'unknown') return `Let ${names} run${reason === '' ? '' : `: ${reasonText(reason)}`}`
  if (part === 'baseline') return `Take in what stands: relt gate baseline ${run_id ?? 'RUN'} --reason TEXT`
  return cures[part] ?? 'Get newer facts: relt catalog sync, or relt catalog import FILE without internet'
}
