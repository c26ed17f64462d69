import type { ReportEnvelope } from '../contract/cluster-report.ts'
import type { Profile } from '../profiles/index.ts'

/** Names the cluster of a stored scan profile in the upload. */
export function profileEnvelope({ cluster_name, provider, settings }: Profile): ReportEnvelope {
  const { eks, gke, radar } = settings
  const region = provider === 'eks' ? eks?.region : provider === 'gke' ? gke?.location : undefined
  return { environment: radar?.environment, cluster: { name: cluster_name, provider, region } }
}
