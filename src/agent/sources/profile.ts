import { line } from '../job.ts'
import { scannerRules } from '../units/rbac.ts'
import type { ScheduledSource } from './source.ts'

/** A scan profile by name or id, which a scanner runs. */
export const profile: ScheduledSource<string> = {
  kind: 'scheduled',
  schema: line(200),
  needsCluster: false,
  access: () => scannerRules,
  placeFor: async (...args) => (await import('../run-scan.ts')).placeOfProfile(...args),
  run: async (...args) => (await import('../run-scan.ts')).runScan(...args),
}
