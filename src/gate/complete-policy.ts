import { ReltError } from '../errors.ts'
import type { Policy, UnknownSeverity } from './policy.ts'
import { parseRule, ruleForms } from './rules.ts'

/** An error in the policy: its location `relt.yaml:4` and the problem. */
export interface PolicyProblem {
  source: string
  problem: string
}

interface PolicyFlags {
  failOn: string[]
  baseline?: string
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
    baseline: flags.baseline,
    begin: file?.begin,
    takenIn: file?.takenIn ?? [],
    undecided: file?.undecided ?? [],
    exceptions: file?.exceptions ?? [],
    unknownSeverity: flags.unknownSeverity ?? file?.unknownSeverity ?? 'undecided',
    unrated: file?.unrated ?? 'ignore',
    events: file?.events ?? 'ignore',
    renamed: file?.renamed ?? 'ignore',
    graceDays: flags.graceDays ?? file?.graceDays,
  }
}

function toName(file: Policy | undefined, { failOn, baseline, unknownSeverity, graceDays }: PolicyFlags): string {
  const parts = [
    file?.name,
    ...failOn,
    baseline && `--baseline ${baseline}`,
    unknownSeverity && `--unknown-severity ${unknownSeverity}`,
    graceDays !== undefined && `--ignore-newer-than ${graceDays}d`,
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
