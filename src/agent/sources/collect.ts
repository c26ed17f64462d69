import * as z from 'zod/mini'
import { type ReportSource, reportSources } from '../../scan/report-source.ts'
import { inventoryRules, reportRules } from '../units/rbac.ts'
import type { ScheduledSource } from './source.ts'

/** An operator whose reports are read with kubectl, instead of a scanner. */
export const collect: ScheduledSource<ReportSource> = {
  kind: 'scheduled',
  schema: z.enum(reportSources),
  needsCluster: true,
  access: (operator) => [...inventoryRules, ...reportRules[operator]],
  placeFor: async () => ({}),
  run: async (...args) => (await import('../run-collect.ts')).runCollect(...args),
}
