import { ReltError } from '../../../errors.ts'
import type { SaidGate } from '../../../views/gate-words.ts'

/** Throws `gate_failed` or `gate_undecided` for the first, worst verdict, unless it passed; the error sets the exit code. */
export function requirePassed(worst: SaidGate, ...others: SaidGate[]): void {
  const { verdict } = worst
  const hasCauses = [worst, ...others].some(({ causes }) => causes.length > 0)
  const rules = [worst, ...others].flatMap((result) => result.rules)
  if (verdict === 'passed') return
  const named = [...new Set(rules.filter((rule) => rule.verdict === verdict).map((rule) => rule.rule))]
  if (verdict === 'failed') throw new ReltError('gate_failed', `The gate failed: ${named.join(', ')}`)
  throw new ReltError('gate_undecided', `The gate is undecided: ${named.join(', ')}`, {
    hint: hasCauses
      ? 'Each cause above has its cure, and the line of relt.yaml that would decide it.'
      : 'Each rule says what is missing.',
  })
}
