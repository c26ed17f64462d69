import { type GateRule, parseRule } from '../contract/gate-rule.ts'

type Sentences = { [K in GateRule['kind']]: (rule: GateRule & { kind: K }) => string }

const atMost = ({ allowed }: { allowed: number }): string => (allowed === 0 ? 'no' : `at most ${allowed}`)

const changed = (rule: GateRule & { kind: 'new' | 'regressed' }): string =>
  `${atMost(rule)} ${rule.kind} findings of severity ${rule.severity} or worse`

const sentences: Sentences = {
  score: ({ limit }) => `a score of at least ${limit}`,
  'score-drop': ({ limit }) => `a score that fell by at most ${limit}`,
  new: changed,
  regressed: changed,
  more: (rule) => `${atMost(rule)} known findings of severity ${rule.severity} or worse whose count rises`,
  findings: (rule) => `${atMost(rule)} findings of severity ${rule.severity} or worse`,
  affected: (rule) => `${atMost(rule)} artifacts with an advisory of severity ${rule.severity} or worse`,
  fixable: (rule) => `${atMost(rule)} artifacts with such an advisory whose line has a fix`,
  'security-behind': (rule) => `${atMost(rule)} artifacts behind a security fix of severity ${rule.severity} or worse`,
  exploited: (rule) => `${atMost(rule)} exploited vulnerabilities`,
  compromised: () => 'no compromised artifact',
  'major-behind': (rule) => `${atMost(rule)} artifacts behind by a major version`,
  eol: (rule) => `${atMost(rule)} versions out of support`,
  'kubernetes-eol': () => 'a version of Kubernetes that is supported',
  skew: () => 'no kubelet that the API server does not allow',
  'aks-blockers': (rule) => `${atMost(rule)} blockers of AKS Automatic`,
  'upgrade-blockers': () => 'nothing that blocks the upgrade',
  'no-new-risk-path': () => 'no risk path that opened',
}

/** When a rule passes, as a sentence; undefined for an invalid rule. */
export function passesWhen(text: string): string | undefined {
  const rule = parseRule(text)
  return rule && (sentences[rule.kind] as (rule: GateRule) => string)(rule)
}
