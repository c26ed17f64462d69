import { ReltError } from '../errors.ts'
import { isObject } from '../util/json.ts'
import { getText, type Kubectl, type KubectlFailure } from './kubectl.ts'
import { isNotFound } from './list-kind.ts'

/**
 * Version of Kubernetes, such as `v1.33.6`; undefined when the API server does not say. Throws `scan_failed` when the cluster is out of
 * reach, so that nobody waits for each kind in turn, and when its address belongs to something else, such as a proxy: every API server
 * has this page.
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

/** kubectl's words when no API server answers, or none that knows the account. */
const isOutOfReach = ({ why, isLate }: KubectlFailure): boolean =>
  isLate ||
  /unable to connect|was refused|\(Unauthorized\)|context "?[^"]*"? does not exist|no configuration/i.test(why)
