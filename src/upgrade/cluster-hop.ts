import type { UpgradeHop } from '../contract/upgrade.ts'
import type { SkewRule } from '../contract/upgrade-facts.ts'
import { supportText } from '../lifecycle/support-text.ts'
import { evidenceOf, shippedEvidence, skewEvidence } from './evidence.ts'
import { once, type PlanKnowledge } from './known.ts'
import type { NodeHop, NodeMove } from './node-hops.ts'
import type { PlanPart } from './part.ts'
import { removedApi, removedBetween } from './removals.ts'
import { hopRules, nodeRules, shippedWith } from './skew.ts'
import { fixesText, noClusterWayBack, noFixes, type Unnumbered } from './step-of-part.ts'
import { explainStep, type StepReason } from './step-reason.ts'

interface ClusterHop {
  before: string
  hop: string
  offering: string | undefined
  cluster?: PlanPart | undefined
}

/** Facts about upgrading Kubernetes itself by one minor version, independent of what runs. */
export function clusterHop(asked: ClusterHop, known: PlanKnowledge) {
  const { before, hop, offering, cluster } = asked
  return once(known, ['hop', before, hop, offering, cluster?.identity], () => {
    const kubernetes = kubernetesStep(asked, known)
    const removed = removedBetween(known.facts, 'kubernetes', before, hop)
    const about: Omit<UpgradeHop, 'steps'> = {
      from: before,
      to: hop,
      version: kubernetes.version,
      support_before: known.supportFor(cluster?.version ?? before, offering) ?? null,
      support_after: known.supportFor(hop, offering) ?? null,
      removed_apis: removed.map((api) => removedApi(api, hop, known.facts)),
      rules: hopRules(known.facts, offering, hop).map(skewEvidence),
    }
    return { about, kubernetes: kubernetes.step, nodes: nodesOfHop(asked, known), after: kubernetes.after }
  })
}

const releaseNotes = (hop: string) =>
  evidenceOf(
    'rule',
    `The release notes of Kubernetes ${hop} tell what else changes.`,
    `https://github.com/kubernetes/kubernetes/blob/master/CHANGELOG/CHANGELOG-${hop}.md`,
  )

function kubernetesStep({ before, hop, offering, cluster }: ClusterHop, known: PlanKnowledge) {
  const found = cluster?.stepTo(({ segments }) => segments.slice(0, 2).join('.') === hop)
  const fixes = found?.fixes ?? noFixes
  const rules = hopRules(known.facts, offering, hop)
  const barred = rules.find(({ rule }) => rule === 'no-downgrade')
  const support = known.supportFor(cluster?.version ?? before, offering)
  const step: Unnumbered = {
    ...blankStep(before, hop),
    kind: 'kubernetes',
    when: 'kubernetes',
    from: cluster?.version ?? before,
    to: found?.version ?? hop,
    ...explainStep(
      [...(support?.date ? [`${supportText(`Kubernetes ${before}`, support)}.`] : []), ...fixesText(fixes)].map(
        (says) => ({ says }),
      ),
      [
        ...rules.filter(({ rule }) => rule === 'minor-by-minor').map(skewEvidence),
        ...shippedWith(known.facts, offering, before, hop).map(shippedEvidence),
        releaseNotes(hop),
      ],
    ),
    fixes,
    support: known.supportFor(hop, offering) ?? null,
    way_back: barred?.note ?? noClusterWayBack,
    irreversible: true,
    manual: [...(found?.notes ?? [])],
  }
  return { step, version: found?.notes.length === 0 ? found.version : null, after: found?.then() }
}

interface NodesOfHop {
  /** For all nodes, whatever they run. */
  step: Unnumbered
  rules: SkewRule[]
}

function nodesOfHop({ before, hop, offering }: ClusterHop, { facts }: PlanKnowledge): NodesOfHop {
  const rules = nodeRules(facts, offering, hop)
  const step: Unnumbered = {
    ...blankStep(before, hop),
    kind: 'nodes',
    when: 'nodes',
    name: 'Nodes',
    ...explainStep(rules.map((rule) => ({ says: rule.note, fact: skewEvidence(rule) }))),
    way_back: `Nodes of Kubernetes ${before} may return as long as the rules allow their distance.`,
  }
  return { step, rules }
}

/** The steps of a hop for the cluster itself, before and after the API server is upgraded. */
export function stepsOfHop(
  { kubernetes, nodes }: ReturnType<typeof clusterHop>,
  { before, after, isOpen }: NodeHop,
): Record<'before' | 'after', Unnumbered[]> {
  const raised = after ? [stepOfMove(nodes, after)] : isOpen ? [nodes.step] : []
  return {
    before: before ? [{ ...stepOfMove(nodes, before), when: 'before' }] : [],
    after: [kubernetes, ...raised],
  }
}

/** The step for nodes that are already too old for the API server. */
export function raisedNow(
  move: NodeMove,
  { from, offering }: Pick<ClusterHop, 'offering'> & { from: string },
  known: PlanKnowledge,
): Unnumbered {
  return { ...stepOfMove(nodesOfHop({ before: from, hop: from, offering }, known), move), hop: null, when: 'before' }
}

function stepOfMove({ step, rules }: NodesOfHop, { kubelets, to, why }: NodeMove): Unnumbered {
  const reasons = why.map(({ says, rule }): StepReason => (rule ? { says, fact: skewEvidence(rule) } : { says }))
  const others = rules.filter((rule) => why.every((reason) => reason.rule !== rule)).map(skewEvidence)
  const from = kubelets[0]!.version
  const way_back = `Nodes of Kubernetes ${from} may return as long as the rules allow their distance.`
  return { ...step, ...explainStep(reasons, others), from, to, way_back, kubelets: [...kubelets] }
}

function blankStep(from: string, hop: string) {
  return {
    hop,
    kind: 'kubernetes',
    when: 'kubernetes',
    project_slug: 'kubernetes',
    name: 'Kubernetes',
    from,
    to: hop,
    via: [],
    why: [],
    fixes: noFixes,
    breaks: [],
    removed_apis: [],
    manual: [],
    support: null,
    way_back: '',
    evidence: [],
    workloads: [],
  } as Unnumbered
}
