import { ReltError } from '../errors.ts'
import { isObject } from '../util/json.ts'
import { getText, type Kubectl, type KubectlFailure } from './kubectl.ts'
import { isNotFound } from './list-kind.ts'

/**
 * Kubernetes version, such as `v1.33.6`; undefined if the API server does not return it. Throws `scan_failed` if the cluster
 * is unreachable, to avoid a timeout for each kind, and if its address is not an API server's, such as a proxy's: every API
 * server has this endpoint.
 */
export async function readServerVersion(kubectl: Kubectl): Promise<string | undefined> {
  const answer = await getText(kubectl, '/version')
  if ('why' in answer) {
    if (!isOutOfReach(answer) && !isNotFound(answer.why)) return undefined
    throw new ReltError('scan_failed', 'kubectl does not reach the cluster.', {
      hint: 'Check it with kubectl get --raw /version, and choose another cluster with --context.',
      output: [answer.why],
    })
  }
  try {
    const value: unknown = JSON.parse(answer.text)
    const version = isObject(value) ? value.gitVersion : undefined
    return typeof version === 'string' ? version.slice(0, 100) : undefined
  } catch {
    return undefined
  }
}

/** kubectl's messages if no API server answers, or authentication fails. */
const isOutOfReach = ({ why, isLate }: KubectlFailure) =>
  isLate ||
  /unable to connect|was refused|\(Unauthorized\)|context "?[^"]*"? does not exist|no configuration/i.test(why)
