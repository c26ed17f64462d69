import type { CiReport } from '../../src/ci/report.ts'
import { changesOf, comparisonWith, findingWith, now, policyFor, runWith } from '../gate/evidence.ts'
import { evaluateGate } from '../helpers/judge-gate.ts'

/** What a careless renderer would let act: one of each kind. */
export const hostile =
  '</td><script>alert(1)</script> | `x` **b** _i_ [l](https://evil.example) ![i](x) www.evil.example @admin #1\n::error::x\r\n##vso[task.x]y ]]> &lt; \u0000\u001b[31m\u202e\ud800 {0} %0A'

/** A failed and an undecided rule, one that passed by a line of the policy, and a passed one; what is foreign says `message`. */
export function reportWith(message: string, count = 1): CiReport {
  const undecided = [{ part: [message], place: [], forbidden: [], expires: '2099-01-01', source: 'relt.yaml:2' }]
  const checks_not_run = [{ check_id: message, name: message, reason: message }]
  const run = runWith({ cluster_name: message, environment: message, score: null, checks_not_run })
  const finding = () =>
    findingWith({ check_id: message, check_name: message, namespace: message, resource: message, message })
  const comparison = comparisonWith({ to: run, new_findings: Array.from({ length: count }, finding) })
  const changes = changesOf(['new>=high', 'regressed>=low'], comparison)
  const policy = { ...policyFor(['new>=high', 'score<80', 'regressed>=low', 'compromised']), undecided }
  return { run, comparison, result: evaluateGate(policy, { run, comparison, changes }, now) }
}
