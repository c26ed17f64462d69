import { findsVulnerabilities, ratedSeverities } from '../contract/choices.ts'
import type { ReceivedRun } from '../contract/received/cluster-report.ts'
import { severityRank } from '../contract/severity-rank.ts'
import type { Court } from './court.ts'
import type { GapScope } from './gap.ts'
import { judgeAdvisories } from './judge-advisories.ts'
import { judgeArtifacts } from './judge-artifacts.ts'
import { judgeChanges, judgeFound } from './judge-changes.ts'
import { judgeCompromised } from './judge-compromised.ts'
import { judgeExploited } from './judge-exploited.ts'
import { judgeKubernetes } from './judge-kubernetes.ts'
import { judgeMaxAge } from './judge-max-age.ts'
import { judgeSkew } from './judge-nodes.ts'
import { judgeReadiness } from './judge-readiness.ts'
import { judgeRiskPaths } from './judge-risk-paths.ts'
import { judgeScore, judgeScoreDrop } from './judge-score.ts'
import { judgeStates } from './judge-states.ts'
import { judgeUpgrade } from './judge-upgrade.ts'
import type { GateRule, RuleOf } from './rule.ts'
import type { RuleVerdict } from './rule-verdict.ts'

export type { GateRule } from './rule.ts'

type Kind = GateRule['kind']

/** What decides a rule, besides the record of the run. */
export type Evidence = 'changes' | 'findings' | 'freshness' | 'plan'

export type DecidingRun = Pick<
  ReceivedRun,
  'artifacts' | 'format' | 'kubernetes_version' | 'finished_at' | 'started_at' | 'ingested_at'
>

interface Row<K extends Kind> {
  /** What follows the name of the kind. The groups are the fields of the rule. */
  form: string
  /** As written, in the order of help. */
  examples: string[]
  /** When it passes. */
  passesWith: (rule: RuleOf<K>) => string
  needs: Evidence[]
  /** Which gaps of the scan can hide what it asks for. */
  scope: GapScope
  /** Whether a scanner's report can contain what it is about (default: any). */
  isIn?: (run: DecidingRun) => boolean
  judge: (rule: RuleOf<K>, court: Court) => RuleVerdict
}

const severity = `(?<severity>${ratedSeverities.join('|')})`
const count = String.raw`(?<count>\d{1,9})`
const points = String.raw`(?<points>\d{1,3}(?:\.\d{1,2})?)`
const rated = `>=${severity}(?:>${count})?`
const counted = `(?:>${count})?`

const atMost = ({ allowed }: { allowed: number }): string => (allowed === 0 ? 'no' : `at most ${allowed}`)
const orWorse = ({ severity }: { severity: string }): string => `of severity ${severity} or worse`

const changed = {
  form: rated,
  passesWith: (rule: { kind: string; allowed: number; severity: string }) =>
    `${atMost(rule)} ${rule.kind} findings ${orWorse(rule)}`,
  needs: ['changes'] satisfies Evidence[] as Evidence[],
  scope: 'changes' as const,
  judge: judgeChanges,
}

export const listsArtifacts = ({ artifacts }: DecidingRun): boolean =>
  artifacts === null || artifacts.images + artifacts.helm_charts + artifacts.apps > 0

const onArtifacts = {
  needs: ['freshness'] satisfies Evidence[] as Evidence[],
  scope: 'artifacts' as const,
  isIn: listsArtifacts,
}

const ofKubeBuddy = ({ format }: DecidingRun): boolean => format === 'kubebuddy'

const inState = (what: string) => ({
  ...onArtifacts,
  form: counted,
  passesWith: (rule: { allowed: number }) => `${atMost(rule)} artifacts ${what}`,
  judge: judgeStates,
})

/** A rule is one row. */
const rules: { [K in Kind]: Row<K> } = {
  score: {
    form: `<${points}`,
    examples: ['score<80'],
    passesWith: ({ limit }) => `a score of at least ${limit}`,
    needs: [],
    scope: 'score',
    judge: judgeScore,
  },
  'score-drop': {
    form: `>${points}`,
    examples: ['score-drop>5'],
    passesWith: ({ limit }) => `a score that fell by at most ${limit}`,
    needs: ['changes'],
    scope: 'changes',
    judge: judgeScoreDrop,
  },
  new: { ...changed, examples: ['new>=high', 'new>=high>3'] },
  regressed: { ...changed, examples: ['regressed>=medium'] },
  more: {
    ...changed,
    examples: ['more>=high'],
    passesWith: (rule) => `${atMost(rule)} known findings ${orWorse(rule)} whose count rises`,
  },
  findings: {
    form: rated,
    examples: ['findings>=critical'],
    passesWith: (rule) => `${atMost(rule)} findings ${orWorse(rule)}`,
    needs: ['findings', 'changes'],
    scope: 'findings',
    judge: judgeFound,
  },
  'major-behind': {
    ...onArtifacts,
    form: `>${count}`,
    examples: ['major-behind>0'],
    passesWith: (rule) => `${atMost(rule)} artifacts behind by a major version`,
    judge: judgeArtifacts,
  },
  'security-behind': {
    ...onArtifacts,
    form: rated,
    examples: ['security-behind>=high'],
    passesWith: (rule) => `${atMost(rule)} artifacts behind a security fix ${orWorse(rule)}`,
    judge: judgeArtifacts,
  },
  affected: {
    ...onArtifacts,
    form: rated,
    examples: ['affected>=high'],
    passesWith: (rule) => `${atMost(rule)} artifacts with an advisory ${orWorse(rule)}`,
    judge: judgeAdvisories,
  },
  fixable: {
    ...onArtifacts,
    form: rated,
    examples: ['fixable>=high'],
    passesWith: (rule) => `${atMost(rule)} artifacts with such an advisory whose line has a fix`,
    judge: judgeAdvisories,
  },
  exploited: {
    form: `(?:>=${severity})?${counted}`,
    examples: ['exploited', 'exploited>=high'],
    passesWith: (rule) => `${atMost(rule)} exploited vulnerabilities`,
    needs: ['freshness', 'findings'],
    scope: 'vulnerabilities',
    isIn: (run) => listsArtifacts(run) || run.format === null || findsVulnerabilities(run.format),
    judge: judgeExploited,
  },
  compromised: {
    ...onArtifacts,
    form: '',
    examples: ['compromised'],
    passesWith: () => 'no compromised artifact',
    scope: 'none',
    judge: judgeCompromised,
  },
  retired: { ...inState('of a retired project'), examples: ['retired'] },
  withdrawn: { ...inState('of a withdrawn release'), examples: ['withdrawn'] },
  frozen: { ...inState('of a repository without new versions'), examples: ['frozen'] },
  'max-age': {
    ...onArtifacts,
    form: `>${count}d?`,
    examples: ['max-age>14'],
    passesWith: ({ allowed }) => `facts of at most ${allowed} days`,
    scope: 'none',
    judge: judgeMaxAge,
  },
  'kubernetes-eol': {
    form: '',
    examples: ['kubernetes-eol'],
    passesWith: () => 'a version of Kubernetes that is supported',
    needs: ['freshness'],
    scope: 'none',
    isIn: ({ kubernetes_version }) => kubernetes_version !== null,
    judge: judgeKubernetes,
  },
  eol: {
    ...onArtifacts,
    form: counted,
    examples: ['eol'],
    passesWith: (rule) => `${atMost(rule)} versions out of support`,
    judge: judgeArtifacts,
  },
  skew: {
    ...onArtifacts,
    form: '',
    examples: ['skew'],
    passesWith: () => 'no kubelet that the API server does not allow',
    scope: 'none',
    judge: judgeSkew,
  },
  'no-new-risk-path': {
    form: '',
    examples: ['no-new-risk-path'],
    passesWith: () => 'no risk path that opened',
    needs: ['changes'],
    scope: 'changes',
    isIn: ofKubeBuddy,
    judge: judgeRiskPaths,
  },
  'aks-blockers': {
    form: `>${count}`,
    examples: ['aks-blockers>0'],
    passesWith: (rule) => `${atMost(rule)} blockers of AKS Automatic`,
    needs: [],
    scope: 'aks',
    isIn: ofKubeBuddy,
    judge: judgeReadiness,
  },
  'upgrade-blockers': {
    form: String.raw`(?::(?<to>latest|supported|\d{1,3}\.\d{1,3}))?`,
    examples: ['upgrade-blockers', 'upgrade-blockers:1.36'],
    passesWith: () => 'nothing that blocks the upgrade',
    needs: ['plan'],
    scope: 'artifacts',
    isIn: listsArtifacts,
    judge: judgeUpgrade,
  },
}

export const rowOf = (rule: GateRule): Row<Kind> => rules[rule.kind] as unknown as Row<Kind>

export const ruleForms: string[] = Object.values(rules).flatMap(({ examples }) => examples)

/** Rules that compare with a baseline. */
export const isOnChanges = (rule: GateRule): boolean => rowOf(rule).scope === 'changes'

const kinds = Object.entries(rules).map(
  ([kind, { form }]) => [kind as Kind, new RegExp(`^${kind.replace('-', '[-_]')}${form}$`)] as const,
)

/** Parses a rule; undefined if invalid. See docs/gate.md for the grammar. Ignores spaces around operators. */
export function parseRule(source: string): GateRule | undefined {
  const text = source
    .trim()
    .replace(/(?<!\s)\s+(?=[<>])/g, '')
    .replace(/(>=|<|>)\s+/g, '$1')
  for (const [kind, form] of kinds) {
    const match = form.exec(text)
    if (match) return ruleFor(kind, text, match.groups ?? {})
  }
  return undefined
}

/** The groups of a form are the fields of its kinds. */
function ruleFor(kind: Kind, text: string, groups: Record<string, string | undefined>): GateRule | undefined {
  const { severity, count = '0', points, to } = groups
  if (Number(points) > 100) return undefined
  return {
    text,
    kind,
    ...(points !== undefined && { limit: Number(points) }),
    ...(severity !== undefined && { severity }),
    ...('count' in groups && { allowed: Number(count) }),
    ...(to !== undefined && { to }),
  } as GateRule
}

/** When a rule passes, as a sentence; undefined for an invalid rule. */
export function passesWhen(text: string): string | undefined {
  const rule = parseRule(text)
  return rule && rowOf(rule).passesWith(rule)
}

/** Whether a rule fails at least whenever the other one of its kind fails. */
export function isAsStrict(rule: GateRule, other: GateRule): boolean {
  const [own, lax] = [rule, other].map((each) => ({ severity: 'info' as const, allowed: 0, limit: 0, ...each }))
  return (
    rule.kind === other.kind &&
    severityRank(own!.severity) >= severityRank(lax!.severity) &&
    own!.allowed <= lax!.allowed &&
    own!.limit <= lax!.limit
  )
}
