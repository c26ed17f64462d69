import * as z from 'zod/mini'
import * as ours from '../cluster.ts'
import { optionalTexts, texts, toPage } from '../shape.ts'
import { received } from './received.ts'

/** A later server may return additional reasons. */
export const ReceivedCluster = received(
  z.extend(ours.FleetCluster, { attention: texts, attention_now: optionalTexts }),
  ['cluster_id', 'cluster_name', 'environment'],
)
export type ReceivedCluster = z.infer<typeof ReceivedCluster>

export const ClusterPage = z.extend(toPage(ReceivedCluster), { summary: ours.FleetSummary })
export type ClusterPage = z.infer<typeof ClusterPage>
