import * as z from 'zod/mini'
import { type CollectSource, collectSources } from '../../scan/report-source.ts'
import { inventoryRules, reportRules } from '../units/rbac.ts'
import type { ScheduledSource } from './source.ts'

/** What is read from the cluster without a scanner: an operator's reports, or only what runs. */
export const collect: ScheduledSource<CollectSource> = {
  kind: 'scheduled',
  schema: z.enum(collectSources),
  needsCluster: true,
  access: (operator) => [...inventoryRules, ...reportRules[operator]],
  placeFor: async () => ({}),
  run: async (...args) => (await import('../run-collect.ts')).runCollect(...args),
}
