import type { NodeComponent } from '../contract/node.ts'
import type { ReceivedFreshness } from '../contract/received/cluster-report.ts'
import { supportText } from '../lifecycle/support-text.ts'

import type { Court } from './court.ts'
import { divideExcepted } from './exception.ts'
import { notCollected, type Reason } from './reason.ts'
import type { RuleOf } from './rule.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'
import { nowhere, type Violation } from './violation.ts'

type Nodes = Pick<ReceivedFreshness, 'nodes' | 'unread'>

/** Why nodes are unknown although the scan tried to read them. */
export function nodesGap({ unread }: Nodes): Reason | undefined {
  const found = unread?.find(({ source }) => source === 'nodes')
  return found && notCollected(found.reason)
}

/** Node components, except kubelets with the API server's minor version, which `kubernetes-eol` judges. */
export const supportedNodeParts = ({ nodes }: Nodes): NodeComponent[] =>
  (nodes ?? []).filter(({ skew }) => skew?.older !== 0)

/** Components without support. */
export const endedNodeParts = (answer: Nodes) =>
  supportedNodeParts(answer).flatMap((one) => {
    if (!one.eol?.is_eol) return []
    const support = supportText(`${one.display_name} (${one.part})`, one.eol)
    return [{ subject: toSubject(one), violation: toViolation(one, { code: 'ended_on', support, ...nodesOf(one) }) }]
  })

/** Fails if a kubelet is too old or too new for the API server. Undecided if a version or rule is unknown. */
export function judgeSkew(
  _: RuleOf<'skew'>,
  { freshness, exceptions }: { freshness?: Nodes | undefined } & Pick<Court, 'exceptions'>,
): RuleVerdict {
  if (!freshness) return undecided({ code: 'no_freshness' })
  const gap = nodesGap(freshness)
  if (gap !== undefined) return undecided(gap, 'nodes')
  const kubelets = (freshness.nodes ?? []).filter(({ part }) => part === 'kubelet')
  if (kubelets.length === 0) return undecided({ code: 'no_nodes' }, 'nodes')
  const skewed = kubelets.filter(({ skew }) => skew?.state === 'too_old' || skew?.state === 'too_new')
  const { counting, exceptedBy } = divideExcepted(skewed, (one) => exceptions.forArtifact(toSubject(one)))
  const [open] = kubelets.filter(({ skew }) => !skew || skew.state === 'unknown')
  if (counting.length === 0 && open) {
    return undecided({ code: 'skew_unknown', kubelet: open.display_name, why: open.skew?.says ?? 'no rule' }, 'nodes')
  }
  const reason: Reason =
    counting.length > 0
      ? { code: 'skew', versions: counting.length, names: counting.map(({ display_name }) => display_name) }
      : { code: 'no_skew', nodes: kubelets.reduce((sum, { nodes_count }) => sum + nodes_count, 0) }
  return {
    ...decided(
      counting.length > 0,
      reason,
      counting.map((one) => toViolation(one, { code: 'skew_of', skew: one.skew!.says, ...nodesOf(one) })),
    ),
    exceptedBy,
  }
}

const toSubject = ({ artifact_key }: NodeComponent) => ({ artifact_key, namespace: null })

const nodesOf = ({ nodes, nodes_count: total }: NodeComponent) => ({
  total,
  names: `${nodes.slice(0, 3).join(', ')}${total > 3 ? ', …' : ''}`,
})

const toViolation = ({ artifact_key, display_name }: NodeComponent, message: Reason): Violation => ({
  kind: 'artifact',
  id: artifact_key,
  name: display_name,
  message,
  ...nowhere,
})
