import { ReltError } from '../../../errors.ts'
import type { GateResult } from '../../../gate/evaluate.ts'

/** Throws `gate_failed` or `gate_undecided` for the first, worst verdict, unless it passed; the error sets the exit code. */
export function requirePassed(worst: GateResult, ...others: GateResult[]): void {
  const { verdict } = worst
  const rules = [worst, ...others].flatMap((result) => result.rules)
  if (verdict === 'passed') return
  const named = [...new Set(rules.filter((rule) => rule.verdict === verdict).map((rule) => rule.rule))]
  if (verdict === 'failed') throw new ReltError('gate_failed', `The gate failed: ${named.join(', ')}`)
  throw new ReltError('gate_undecided', `The gate is undecided: ${named.join(', ')}`, {
    hint: rules.some(({ lacks }) => lacks === 'earlier_run')
      ? 'The next run is compared with this one. A pipeline has to keep its store (RELT_HOME), as templates/ci do.'
      : rules.some(({ lacks }) => lacks === 'accepted_scope')
        ? 'Scan all of the scope again, or accept the smaller one: relt gate accept-scope'
        : 'Each rule says what is missing.',
  })
}
