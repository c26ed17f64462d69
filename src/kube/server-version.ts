import { ReltError } from '../errors.ts'
import { type KubeCluster, nameOf } from './cluster.ts'
import { text } from './kubeconfig.ts'

/**
 * Kubernetes version, such as `v1.33.6`; undefined if the API server does not return it. Throws `scan_failed` if the cluster
 * is out of reach, to avoid a timeout for each kind, and if its address is not an API server's, such as a proxy's: every API
 * server has this endpoint.
 */
export async function readServerVersion(cluster: KubeCluster): Promise<string | undefined> {
  const answer = await cluster.read('/version')
  if ('value' in answer) return text(answer.value.gitVersion)?.slice(0, 100)
  if (!answer.isOutOfReach && answer.state !== 'missing') return undefined
  throw new ReltError('scan_failed', `The cluster of ${nameOf(cluster.target)} is out of reach: ${answer.why}`, {
    hint: 'Check its kubeconfig, and choose another cluster with --context.',
  })
}
