import { scannedAt } from '../reports/run-subject.ts'
import { type DecidingRun, type GateRule, rowOf } from './rules.ts'

/**
 * Assigns rules to the latest runs of one cluster's scanners. A rule about artifacts is judged by the runs that list them,
 * or by the newest run if none does; any other rule by every run.
 */
export function divideRules<R extends DecidingRun>(rules: GateRule[], runs: R[]) {
  const newest = runs.reduce((a, b) => ((scannedAt(b) ?? '') > (scannedAt(a) ?? '') ? b : a))
  const divided = new Map<R, GateRule[]>()
  for (const rule of rules) {
    const able = runs.filter(rowOf(rule).isIn ?? (() => true))
    for (const run of able.length > 0 ? able : [newest]) divided.set(run, [...(divided.get(run) ?? []), rule])
  }
  return divided
}
