import type { NodeComponent } from '../contract/node.ts'
import type { ReceivedFreshness } from '../contract/received/cluster-report.ts'
import { supportText } from '../lifecycle/support-text.ts'
import { listed, count as plural } from '../util/words.ts'
import type { Court } from './court.ts'
import { divideExcepted } from './exception.ts'
import type { RuleOf } from './rule.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'
import { unreadText } from './unread-text.ts'
import { nowhere, type Violation } from './violation.ts'

type Nodes = Pick<ReceivedFreshness, 'nodes' | 'unread'>

/** Why nodes are unknown although the scan tried to read them. */
export function nodesGap({ unread }: Nodes): string | undefined {
  const found = unread?.find(({ source }) => source === 'nodes')
  return found && unreadText(found.reason)
}

/** Node components, except kubelets with the API server's minor version, which `kubernetes-eol` judges. */
export const supportedNodeParts = ({ nodes }: Nodes): NodeComponent[] =>
  (nodes ?? []).filter(({ skew }) => skew?.older !== 0)

/** Components without support. */
export const endedNodeParts = (answer: Nodes) =>
  supportedNodeParts(answer).flatMap((one) => {
    if (!one.eol?.is_eol) return []
    const text = supportText(`${one.display_name} (${one.part})`, one.eol)
    return [{ subject: toSubject(one), violation: toViolation(one, `${text}: ${nodesText(one)}`) }]
  })

/** Fails if a kubelet is too old or too new for the API server. Undecided if a version or rule is unknown. */
export function judgeSkew(
  _: RuleOf<'skew'>,
  { freshness, exceptions }: { freshness?: Nodes | undefined } & Pick<Court, 'exceptions'>,
): RuleVerdict {
  if (!freshness) return undecided('Freshness is not available')
  const gap = nodesGap(freshness)
  if (gap !== undefined) return undecided(gap, 'nodes')
  const kubelets = (freshness.nodes ?? []).filter(({ part }) => part === 'kubelet')
  if (kubelets.length === 0) return undecided('The inventory of the run has no nodes', 'nodes')
  const skewed = kubelets.filter(({ skew }) => skew?.state === 'too_old' || skew?.state === 'too_new')
  const { counting, exceptedBy } = divideExcepted(skewed, (one) => exceptions.forArtifact(toSubject(one)))
  const [open] = kubelets.filter(({ skew }) => !skew || skew.state === 'unknown')
  if (counting.length === 0 && open) {
    return undecided(
      `The skew of the kubelet ${open.display_name} is not known: ${open.skew?.says ?? 'no rule'}`,
      'nodes',
    )
  }
  const total = kubelets.reduce((sum, { nodes_count }) => sum + nodes_count, 0)
  const reason =
    counting.length > 0
      ? `${plural(counting.length, 'kubelet version')} outside the allowed skew: ${listed(counting.map(({ display_name }) => display_name))}`
      : `The kubelets of ${plural(total, 'node')} are within the allowed skew`
  return {
    ...decided(
      counting.length > 0,
      reason,
      counting.map((one) => toViolation(one, `The kubelet is ${one.skew!.says}: ${nodesText(one)}`)),
    ),
    exceptedBy,
  }
}

const toSubject = ({ artifact_key }: NodeComponent) => ({ artifact_key, namespace: null })

function nodesText({ nodes, nodes_count: total }: NodeComponent): string {
  const named = nodes.slice(0, 3).join(', ')
  return `${plural(total, 'node')} (${named}${total > 3 ? ', …' : ''})`
}

const toViolation = ({ artifact_key, display_name }: NodeComponent, message: string): Violation => ({
  kind: 'artifact',
  id: artifact_key,
  name: display_name,
  message,
  ...nowhere,
})
