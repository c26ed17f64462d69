import type { Finding } from '../contract/cluster-report.ts'
import type { Comparison, Run } from '../contract/received/cluster-report.ts'
import type { GateResult } from '../gate/evaluate.ts'

/** What the renderers write about. */
export interface CiReport {
  run: Run
  comparison?: Comparison | undefined
  result: GateResult
}

/** A finding as code scanners list it. */
export interface CiFinding extends Finding {
  /** Against the run before; undefined where there is none. */
  baseline: 'new' | 'updated' | 'unchanged' | undefined
  /** Set where the cluster or the scanner suppresses it (`inSource`), or an exception of the policy does. */
  suppression: { kind: 'inSource' | 'external'; reason: string | null } | undefined
}
