import type { Finding } from '../contract/cluster-report.ts'
import type { Comparison, Run } from '../contract/received/cluster-report.ts'
import type { GateResult } from '../gate/evaluate.ts'

/** The input of the renderers. */
export interface CiReport {
  run: Run
  comparison?: Comparison | undefined
  result: GateResult
}

/** A finding as code scanners list it. */
export interface CiFinding extends Finding {
  /** Comparison with the previous run; undefined without one. */
  baseline: 'new' | 'updated' | 'unchanged' | undefined
  /** Set where the cluster or the scanner suppresses it (`inSource`), or an exception of the policy does. */
  suppression: { kind: 'inSource' | 'external'; reason: string | null } | undefined
}
