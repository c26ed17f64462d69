import { ratedSeverities } from './choices.ts'
import type { RatedSeverity } from './scan-finding.ts'

/** One condition under which the gate fails; `text` is the rule as written. */
export type GateRule = { text: string } & (
  | { kind: 'score' | 'score-drop'; limit: number }
  | { kind: FindingRuleKind; severity: RatedSeverity; allowed: number }
  | { kind: 'security-behind'; severity: RatedSeverity; allowed: number }
  | { kind: AdvisoryRuleKind; severity: RatedSeverity; allowed: number }
  | { kind: 'exploited'; severity?: RatedSeverity; allowed: number }
  | { kind: 'compromised' }
  | { kind: 'major-behind'; allowed: number }
  | { kind: 'aks-blockers'; allowed: number }
  | { kind: 'eol'; allowed: number }
  | { kind: 'kubernetes-eol' }
  | { kind: 'skew' }
  | { kind: 'upgrade-blockers'; to?: string }
  | { kind: 'no-new-risk-path' }
)

/**
 * `new`, `regressed` and `more` compare with the previous run, `findings` counts all. `more`: known ones whose count rose.
 */
export type FindingRuleKind = 'new' | 'regressed' | 'more' | 'findings'

/** Running versions that an advisory affects; `fixable`: and that have a fixed release in their line. */
export type AdvisoryRuleKind = 'affected' | 'fixable'

/** Rules that the catalog decides. A policy can let them pass if the catalog knows too little. */
export const catalogRules: readonly GateRule['kind'][] = [
  'major-behind',
  'security-behind',
  'eol',
  'affected',
  'fixable',
  'exploited',
]

const severity = `(?<severity>${ratedSeverities.join('|')})`
const count = String.raw`(?<count>\d{1,9})`
const points = String.raw`(?<points>\d{1,3}(?:\.\d{1,2})?)`

const forms = [
  new RegExp(`^(?<kind>score)<${points}$`),
  new RegExp(`^(?<kind>score-drop)>${points}$`),
  new RegExp(`^(?<kind>new|regressed|more|findings|security-behind|affected|fixable)>=${severity}(?:>${count})?$`),
  new RegExp(`^(?<kind>major-behind|aks-blockers)>${count}$`),
  new RegExp(`^(?<kind>exploited)(?:>=${severity})?(?:>${count})?$`),
  new RegExp(`^(?<kind>eol)(?:>${count})?$`),
  /^(?<kind>compromised|kubernetes-eol|skew|no-new-risk-path)$/,
  /^(?<kind>upgrade-blockers)(?::(?<to>latest|supported|\d{1,3}\.\d{1,3}))?$/,
]

export const ruleForms = [
  'score<80',
  'score-drop>5',
  'new>=high',
  'new>=high>3',
  'regressed>=medium',
  'more>=high',
  'findings>=critical',
  'major-behind>0',
  'security-behind>=high',
  'affected>=high',
  'fixable>=high',
  'exploited',
  'exploited>=high',
  'compromised',
  'kubernetes-eol',
  'eol',
  'skew',
  'no-new-risk-path',
  'aks-blockers>0',
  'upgrade-blockers',
  'upgrade-blockers:1.36',
]

/** Parses a rule; undefined if invalid. See docs/gate.md for the grammar. Ignores spaces around operators. */
export function parseRule(source: string): GateRule | undefined {
  const text = source
    .trim()
    .replace(/(?<!\s)\s+(?=[<>])/g, '')
    .replace(/(>=|<|>)\s+/g, '$1')
  for (const form of forms) {
    const parts = form.exec(text)?.groups
    if (parts) return ruleFor(text, parts)
  }
  return undefined
}

/** The groups of a form are the fields of its kinds. */
function ruleFor(text: string, groups: Record<string, string | undefined>): GateRule | undefined {
  const { kind, severity, count = '0', points, to } = groups
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
