import { type lookedAtParts, ratedSeverities } from '../contract/choices.ts'
import { type GateRule, parseRule, ruleForms } from '../contract/gate-rule.ts'
import type { RatedSeverity } from '../contract/scan-finding.ts'
import { ReltError } from '../errors.ts'
import type { AcceptedChecks, ScopeEntry } from './accept-not-run.ts'
import type { Exception } from './exception.ts'

/** Verdict of rules about changes without an earlier run. */
type FirstRun = 'pass' | 'undecided'

/**
 * How rules count a finding that its scanner does not rate: by the severity that relt assigns, not at all, or with a fixed
 * severity.
 */
export type Unrated = 'ignore' | 'undecided' | RatedSeverity

export const unratedChoices: readonly [Unrated, ...Unrated[]] = ['ignore', 'undecided', ...ratedSeverities]

/** Whether rules about new findings count events, which expire after an hour. */
type EventChoice = 'ignore' | 'count'

/** Effect of an advisory without a severity on rules about advisories. */
type UnknownSeverity = 'undecided' | 'fail' | 'ignore'

/** Effect on `new` and `regressed` of findings in checks and namespaces that the earlier run excluded. */
export type NewScope = 'undecided' | 'pass' | 'fail'

export interface Policy {
  /** The files and options of the policy; verdicts are recorded under this name. */
  name?: string
  rules: GateRule[]
  /** The branch whose runs are the state of images, folders and tools (default: that of a cluster's first run). */
  branch?: string | undefined
  /** Parts that scans of Trivy look at, also without a result: see `StatedLook`. */
  lookedAt?: (typeof lookedAtParts)[number][] | undefined
  firstRun: FirstRun
  exceptions: Exception[]
  /** Why the server cannot return its exceptions, in one sentence. */
  exceptionsGap?: string | undefined
  acceptNotRun: AcceptedChecks[]
  /** Parts of the accepted scope that runs may lack. */
  acceptScope?: ScopeEntry[]
  newScope?: NewScope
  /** Minimum share of known artifacts, 0 to 1, for a rule on artifacts to pass. */
  minCoverage?: number | undefined
  unknownSeverity?: UnknownSeverity
  unrated?: Unrated
  events?: EventChoice
  /** Rules on advisories ignore those published within this many days. */
  graceDays?: number | undefined
  /** Rules on artifacts pass if too little is known. */
  allowUnknown?: boolean
}

/** An error in the policy: its location `relt.yaml:4` and the problem. */
export interface PolicyProblem {
  source: string
  problem: string
}

interface PolicyFlags {
  failOn: string[]
  firstRun?: FirstRun
  allowUnknown?: boolean
  unknownSeverity?: UnknownSeverity
  graceDays?: number
}

/** Adds the rules of `--fail-on` to those of the file. Throws `gate_undecided` for an invalid rule, or without any rule. */
export function completePolicy(file: Policy | undefined, flags: PolicyFlags): Policy {
  const parsed = flags.failOn.map((text) => ({ text, rule: parseRule(text) }))
  const wrong = parsed.filter(({ rule }) => !rule)
  if (wrong.length > 0) {
    throw unusable(wrong.map(({ text }) => ({ source: '--fail-on', problem: notARule(text) })))
  }
  const rules = [...(file?.rules ?? []), ...parsed.flatMap(({ rule }) => rule ?? [])]
  if (rules.length === 0) {
    throw new ReltError('gate_undecided', 'The gate has no rules.', {
      hint: "Add one, such as --fail-on 'new>=high', or set gate.fail_on in relt.yaml.",
    })
  }
  return {
    name: toName(file, flags),
    rules: [...new Map(rules.map((rule) => [rule.text, rule])).values()],
    branch: file?.branch,
    lookedAt: file?.lookedAt,
    firstRun: flags.firstRun ?? file?.firstRun ?? 'undecided',
    exceptions: file?.exceptions ?? [],
    acceptNotRun: file?.acceptNotRun ?? [],
    acceptScope: file?.acceptScope ?? [],
    newScope: file?.newScope ?? 'undecided',
    minCoverage: file?.minCoverage,
    unknownSeverity: flags.unknownSeverity ?? file?.unknownSeverity ?? 'undecided',
    unrated: file?.unrated ?? 'ignore',
    events: file?.events ?? 'ignore',
    graceDays: flags.graceDays ?? file?.graceDays,
    allowUnknown: flags.allowUnknown === true,
  }
}

function toName(
  file: Policy | undefined,
  { failOn, firstRun, unknownSeverity, graceDays, allowUnknown }: PolicyFlags,
): string {
  const parts = [
    file?.name,
    ...failOn,
    firstRun && `--first-run ${firstRun}`,
    unknownSeverity && `--unknown-severity ${unknownSeverity}`,
    graceDays !== undefined && `--ignore-newer-than ${graceDays}d`,
    allowUnknown && '--allow-unknown',
  ]
  return parts.filter(Boolean).join(' ')
}

export function notARule(text: string): string {
  return `${JSON.stringify(text.slice(0, 100))} is not a rule. Rules look like ${ruleForms.join(', ')}`
}

/** Error for an invalid policy, which makes the gate undecided. */
export function unusable(problems: PolicyProblem[]): ReltError {
  const params: Record<string, string> = {}
  for (const { source, problem } of problems) {
    params[source] = params[source] === undefined ? problem : `${params[source]}; ${problem}`
  }
  return new ReltError('gate_undecided', 'The gate policy is invalid.', {
    params,
    hint: "See docs/gate.md for the syntax. Quote rules in a shell: --fail-on 'new>=high'.",
  })
}
