import * as z from 'zod/mini'
import { RunId } from './scan-finding.ts'
import { nullableText, success } from './shape.ts'
import { UpgradeCheck, UpgradeReason, UpgradeStep } from './upgrade.ts'

const Place = z.object({ cluster_name: z.string(), environment: z.string() })

export const PlannedCluster = z.object({
  ...Place.shape,
  run_id: RunId,
  verdict: UpgradeCheck.shape.verdict,
  /** Kubernetes version as reported; null if unknown. */
  kubernetes: nullableText,
  from: nullableText,
  to: z.string(),
  /** Number of steps. */
  steps: z.int(),
  /** The first of the reasons for the verdict, and their number. */
  reasons: z.array(UpgradeReason),
  total: z.int(),
})
export type PlannedCluster = z.infer<typeof PlannedCluster>

/**
 * A step, listed once with every cluster that needs it, in the order of their upgrades. Its hop is that of the first such
 * cluster.
 */
export const FleetStep = z.extend(z.omit(UpgradeStep, { workloads: true, evidence: true }), {
  clusters: z.array(
    z.extend(Place, {
      /** The Kubernetes version that its hop leads to, as in a step. */
      hop: UpgradeStep.shape.hop,
      when: UpgradeStep.shape.when,
    }),
  ),
  /** Number of workloads in all of these clusters. */
  workloads: z.int(),
})
export type FleetStep = z.infer<typeof FleetStep>

export const FleetUpgrade = z.object({
  ...success,
  catalog_date: z.string(),
  summary: z.object({
    clusters: z.int(),
    ready: z.int(),
    warnings: z.int(),
    blocked: z.int(),
    undetermined: z.int(),
  }),
  clusters: z.array(PlannedCluster),
  steps: z.array(FleetStep),
  /** Clusters without an inventory in any report. */
  not_planned: z.array(Place),
})
export type FleetUpgrade = z.infer<typeof FleetUpgrade>
