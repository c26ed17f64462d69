import type { RatedSeverity } from '../contract/scan-finding.ts'

/** One condition under which the gate fails; `text` is the rule as written. */
export type GateRule = { text: string } & (
  | { kind: 'score' | 'score-drop'; limit: number }
  | { kind: FindingRuleKind; severity: RatedSeverity; allowed: number }
  | { kind: 'security-behind'; severity: RatedSeverity; allowed: number }
  | { kind: AdvisoryRuleKind; severity: RatedSeverity; allowed: number }
  | { kind: 'exploited'; severity?: RatedSeverity; allowed: number }
  | { kind: 'major-behind'; allowed: number }
  | { kind: 'eol'; allowed: number }
  | { kind: 'aks-blockers' | 'max-age' | StateRuleKind; allowed: number }
  | { kind: 'compromised' | 'kubernetes-eol' | 'skew' | 'no-new-risk-path' }
  | { kind: 'upgrade-blockers'; to?: string }
)

/** `new`, `regressed` and `more` compare with the baseline, `findings` counts all. `more`: known ones whose count rose. */
export type FindingRuleKind = 'new' | 'regressed' | 'more' | 'findings'

/** Running versions that an advisory affects; `fixable`: and that have a fixed release in their line. */
export type AdvisoryRuleKind = 'affected' | 'fixable'

/** Artifacts in a state that no newer version of theirs ends. */
export type StateRuleKind = 'retired' | 'withdrawn' | 'frozen'

export type RuleOf<K extends GateRule['kind']> = GateRule & { kind: K }
