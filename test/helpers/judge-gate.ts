import { evaluateGate as evaluate, type GateEvidence } from '../../src/gate/evaluate.ts'
import type { Policy } from '../../src/gate/policy.ts'
import { formatTimestamp } from '../../src/util/time.ts'
import { sayGate } from '../../src/views/gate-words.ts'

/** The result of a gate in words, as users see it. */
export const evaluateGate = (policy: Policy, evidence: GateEvidence, now: number) =>
  sayGate(evaluate(policy, evidence, now), evidence.run, formatTimestamp(now).slice(0, 10))
