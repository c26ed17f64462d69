import { hash } from 'node:crypto'
import type { ReceivedComparison, ReceivedFreshness, ReceivedRun } from '../contract/received/cluster-report.ts'
import type { Finding } from '../contract/scan-finding.ts'
import type { SaidGate } from '../views/gate-words.ts'

/** The input of the renderers. */
export interface CiReport {
  run: ReceivedRun
  comparison?: ReceivedComparison | undefined
  result: SaidGate
  /** Undefined if not requested. */
  freshness?: ReceivedFreshness | undefined
}

/** Stable for the same finding in each run. */
export const toFingerprint = (text: string) => hash('sha256', text).slice(0, 32)

/** A finding as code scanners list it. */
export interface CiFinding extends Finding {
  /** Comparison with the previous run; undefined without one. */
  baseline: 'new' | 'updated' | 'unchanged' | undefined
  /** How to fix it, in plain text. */
  help?: string | null
  /** Page of the check or advisory. */
  helpUri?: string | null
  /** CVSS base score of an advisory. */
  score?: number | null
  /**
   * Set if the cluster or the scanner suppresses it (`inSource`), or an exception does; `source` is the exception's
   * location.
   */
  suppression: { kind: 'inSource' | 'external'; reason: string | null; source?: string } | undefined
}
