import { ReltError } from '../../../errors.ts'
import type { GateResult } from '../../../gate/evaluate.ts'

/** Ends the command with the exit code of the verdict: throws `gate_failed` or `gate_undecided`, unless it passed. */
export function requirePassed({ verdict, rules }: GateResult): void {
  if (verdict === 'passed') return
  const named = rules.filter((rule) => rule.verdict === verdict).map((rule) => rule.rule)
  if (verdict === 'failed') throw new ReltError('gate_failed', `The gate failed: ${named.join(', ')}`)
  throw new ReltError('gate_undecided', `The gate is undecided: ${named.join(', ')}`, {
    hint: rules.some(({ reason }) => reason.startsWith('There is no earlier run'))
      ? 'Keep the store between pipelines, or add --first-run pass.'
      : 'Each rule says what is missing.',
  })
}
