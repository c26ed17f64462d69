import type { CiFinding } from '../../src/ci/report.ts'
import { findingWith } from '../gate/evidence.ts'

export function ciFinding(more: Partial<CiFinding> = {}): CiFinding {
  return { ...findingWith(), baseline: undefined, suppression: undefined, ...more }
}

/** Everything foreign in it says `text`. */
export function foreignFinding(text: string): CiFinding {
  const foreign = { check_id: text, check_name: text, category: text, namespace: text, resource: text, message: text }
  return ciFinding({ ...foreign, suppression: { kind: 'external', reason: text } })
}
