import * as z from 'zod/mini'
import * as ours from '../cluster.ts'
import { toPage } from '../shape.ts'
import { received } from './received.ts'

/** A later server may return additional reasons. */
export const ReceivedCluster = received(
  z.extend(ours.FleetCluster, { attention: z.array(z.string()), attention_now: z.optional(z.array(z.string())) }),
  ['cluster_id', 'cluster_name', 'environment'],
)
export type ReceivedCluster = z.infer<typeof ReceivedCluster>

export const ClusterPage = z.extend(toPage(ReceivedCluster), { summary: ours.FleetSummary })
export type ClusterPage = z.infer<typeof ClusterPage>
