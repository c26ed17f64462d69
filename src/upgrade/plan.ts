import type { Eol } from '../contract/eol.ts'
import type {
  MissingFact,
  UpgradeCheck,
  UpgradeHop,
  UpgradePart,
  UpgradeReason,
  UpgradeStep,
} from '../contract/upgrade.ts'
import { listed } from '../util/words.ts'
import { answerPart } from './answer-part.ts'
import type { NewestOn } from './compatibility.ts'
import { shippedEvidence, skewEvidence } from './evidence.ts'
import { minorOf, minorsBetween } from './line.ts'
import { movePart, type Way } from './move-part.ts'
import type { PlanPart } from './part.ts'
import { removedApi, removedBetween, type UsersOf, withUsers } from './removals.ts'
import { hopRules, nodeRules, patchNotes, shippedWith } from './skew.ts'
import { noFixes, type StepKnowledge, stepOfMove, stepOfPart, type Unnumbered } from './step-of-part.ts'
import { reasonsOfApi, reasonsOfPart, verdictOf } from './verdict.ts'

export interface PlanKnowledge extends StepKnowledge {
  newestOn: NewestOn
  /** Minor versions of Kubernetes that are out, the newest first; empty: unknown. */
  minors: readonly string[]
  supportOf(minor: string): Eol | undefined
}

export interface PlanQuestion {
  /** As reported; null: unknown. */
  kubernetes: string | null
  /** A minor version. */
  to: string
  parts: readonly PlanPart[]
  /** Kubernetes as a part, to name its releases; undefined where the catalog lacks it. */
  cluster: PlanPart | undefined
  offering: string | undefined
  /** About the inventory as a whole. */
  reasons: readonly UpgradeReason[]
  usersOf?: UsersOf | undefined
  /** A question without a cluster is about its parts alone. */
  isOfCluster: boolean
}

export type MadePlan = Omit<UpgradeCheck, 'success' | 'catalog_date'>

/** The plan: constraints of each part, then hop by hop what goes before Kubernetes, Kubernetes, nodes, what goes after. */
export function makePlan(question: PlanQuestion, known: PlanKnowledge): MadePlan {
  const { kubernetes, to, usersOf = () => undefined } = question
  const from = kubernetes === null ? undefined : minorOf(kubernetes)
  const minors = from === undefined ? undefined : minorsBetween(from, to)
  const planned = question.parts.map((part) =>
    planPart(part, { way: { from: from ?? to, to: minors ?? [] }, to, usersOf }, known),
  )
  const { hops, steps } = minors
    ? makeHops(question, { from: from!, minors, planned, usersOf }, known)
    : { hops: [], steps: [] }
  const reasons = [
    ...whyNoHops(kubernetes, from, to, minors),
    ...whyNotOut(to, known),
    ...question.reasons,
    ...planned.flatMap(({ reasons }) => reasons),
    ...(question.isOfCluster ? removalReasons(from, minors, { facts: known.facts, usersOf }) : []),
  ]
  return {
    verdict: verdictOf(reasons),
    kubernetes,
    from: from ?? null,
    to,
    reasons,
    parts: planned.map(({ answer }) => answer),
    hops,
    steps,
    missing: missingFacts(question, planned),
  }
}

interface PlannedPart {
  answer: UpgradePart
  steps: Unnumbered[]
  reasons: UpgradeReason[]
}

/** Clusters run the same versions of the same parts, which move the same way. */
function planPart(
  part: PlanPart,
  { way, to, usersOf }: { way: Way; to: string; usersOf: UsersOf },
  known: PlanKnowledge,
): PlannedPart {
  const { answer, steps, reasons } = once(known, ['part', part.identity, way.from, way.to.at(-1), to], () => {
    const moved = movePart(part, way, known)
    const answer = answerPart(moved, to)
    const steps = moved.moves.map((move) => stepOfMove(move, known))
    return { answer, steps, reasons: reasonsOfPart(moved, answer) }
  })
  const { workloads } = part
  const own = steps.map((step) => ({ ...step, workloads, removed_apis: withUsers(step.removed_apis, usersOf) }))
  return { reasons, answer: { ...answer, workloads }, steps: own }
}

const kept = new WeakMap<PlanKnowledge, Map<string, unknown>>()

/** What the facts say of the same question is found once. */
function once<T>(known: PlanKnowledge, question: readonly (string | undefined)[], find: () => T): T {
  const found = kept.get(known) ?? new Map<string, unknown>()
  kept.set(known, found)
  const key = JSON.stringify(question)
  if (!found.has(key)) found.set(key, find())
  return found.get(key) as T
}

function whyNoHops(
  kubernetes: string | null,
  from: string | undefined,
  to: string,
  minors: string[] | undefined,
): UpgradeReason[] {
  const about = { word: 'undetermined' as const, project_slug: null }
  if (from === undefined) {
    const what =
      kubernetes === null ? 'The version of Kubernetes is unknown.' : `${kubernetes} is no version of Kubernetes.`
    return [{ ...about, says: what }]
  }
  if (minors) return []
  return [
    { word: 'blocked', project_slug: 'kubernetes', says: `There is no way from Kubernetes ${from} down to ${to}.` },
  ]
}

/** What a Kubernetes that is not out removes may still change. */
function whyNotOut(to: string, { minors }: PlanKnowledge): UpgradeReason[] {
  if (minors.length === 0 || minors.includes(to)) return []
  return [{ word: 'not_stated', project_slug: 'kubernetes', says: `The catalog knows no release of Kubernetes ${to}.` }]
}

function removalReasons(
  from: string | undefined,
  minors: string[] | undefined,
  { facts, usersOf }: Pick<PlanKnowledge, 'facts'> & { usersOf: UsersOf },
): UpgradeReason[] {
  let before = from
  return (minors ?? []).flatMap((hop) => {
    const removed = removedBetween(facts, 'kubernetes', before!, hop)
    before = hop
    return removed.flatMap((api) => reasonsOfApi(api, usersOf(api) ?? null, hop))
  })
}

interface Course {
  from: string
  minors: readonly string[]
  planned: readonly PlannedPart[]
  usersOf: UsersOf
}

function makeHops(question: PlanQuestion, { from, minors, planned, usersOf }: Course, known: PlanKnowledge) {
  const steps: UpgradeStep[] = []
  const hops: UpgradeHop[] = []
  const add = (own: readonly Unnumbered[]) => {
    for (const step of own) steps.push({ number: steps.length + 1, ...step })
  }
  const all = planned.flatMap((one) => one.steps)
  const stepsAt = (hop: string | null, when: 'before' | 'after') =>
    all.filter((step) => step.hop === hop && step.when === when)
  add(coupledFirst(stepsAt(null, 'before'), question.parts))
  let before = from
  let cluster = question.cluster
  for (const hop of minors) {
    const first = steps.length + 1
    add(coupledFirst(stepsAt(hop, 'before'), question.parts))
    const own = clusterHop({ before, hop, cluster, offering: question.offering }, known)
    if (question.isOfCluster) add([own.kubernetes, own.nodes])
    add(stepsAt(hop, 'after'))
    const removed_apis = withUsers(own.about.removed_apis, usersOf)
    hops.push({
      ...own.about,
      removed_apis,
      steps: Array.from({ length: steps.length + 1 - first }, (_, index) => first + index),
    })
    cluster = own.after ?? cluster
    before = hop
  }
  return { hops, steps }
}

/** Networks, storage and webhooks before the rest. */
function coupledFirst(steps: Unnumbered[], parts: readonly PlanPart[]): Unnumbered[] {
  const coupled = new Set(parts.filter(({ isCoupled }) => isCoupled).map(({ slug }) => slug))
  return steps.toSorted((a, b) => Number(coupled.has(b.project_slug)) - Number(coupled.has(a.project_slug)))
}

interface ClusterHop {
  before: string
  hop: string
  offering: string | undefined
  cluster?: PlanPart | undefined
}

function clusterHop(asked: ClusterHop, known: PlanKnowledge) {
  const { before, hop, offering, cluster } = asked
  return once(known, ['hop', before, hop, offering, cluster?.identity], () => {
    const kubernetes = kubernetesStep(asked, known)
    const removed = removedBetween(known.facts, 'kubernetes', before, hop)
    const about: Omit<UpgradeHop, 'steps'> = {
      from: before,
      to: hop,
      version: kubernetes.version,
      support_before: known.supportOf(before) ?? null,
      support_after: known.supportOf(hop) ?? null,
      removed_apis: removed.map(removedApi),
      rules: hopRules(known.facts, offering, hop).map(skewEvidence),
    }
    return { about, kubernetes: kubernetes.step, nodes: nodesStep(asked, known), after: kubernetes.after }
  })
}

function kubernetesStep({ before, hop, offering, cluster }: ClusterHop, known: PlanKnowledge) {
  const found = cluster?.stepTo(({ segments }) => segments.slice(0, 2).join('.') === hop)
  const own = cluster && found ? stepOfPart(cluster, found, { why: [] }, known) : undefined
  const rules = hopRules(known.facts, offering, hop)
  const barred = rules.find(({ rule }) => rule === 'no-downgrade')
  const support = known.supportOf(before)
  const step: Unnumbered = {
    ...blankStep(before, hop),
    kind: 'kubernetes',
    when: 'kubernetes',
    from: cluster?.version ?? before,
    to: found?.version ?? hop,
    why: [
      ...(support?.date
        ? [`Support of Kubernetes ${before} ${support.is_eol ? 'ended' : 'ends'} on ${support.date}.`]
        : []),
      ...(own?.why ?? []).filter((text) => text.startsWith('It fixes')),
    ],
    fixes: own?.fixes ?? noFixes,
    support: known.supportOf(hop) ?? null,
    way_back: barred
      ? `No way back: ${barred.note}`
      : 'No way back: a control plane does not go to an older minor version.',
    manual: patchNotes(offering, found?.version),
    evidence: [
      ...rules.filter(({ rule }) => rule === 'minor-by-minor').map(skewEvidence),
      ...shippedWith(known.facts, offering, before, hop).map(shippedEvidence),
    ],
  }
  return { step, version: found?.version ?? null, after: found?.then() }
}

function nodesStep({ before, hop, offering }: ClusterHop, { facts }: PlanKnowledge): Unnumbered {
  const rules = nodeRules(facts, offering, hop)
  return {
    ...blankStep(before, hop),
    kind: 'nodes',
    when: 'nodes',
    name: 'Nodes',
    why: rules.map(({ note }) => note),
    evidence: rules.map(skewEvidence),
    way_back: `Nodes of Kubernetes ${before} may return as long as the rules allow their distance.`,
  }
}

function blankStep(from: string, hop: string): Unnumbered {
  return {
    ...{ hop, kind: 'kubernetes', when: 'kubernetes', project_slug: 'kubernetes', name: 'Kubernetes' },
    ...{ from, to: hop, via: [], why: [], fixes: noFixes, breaks: [], removed_apis: [], manual: [] },
    ...{ support: null, way_back: '', evidence: [], workloads: [] },
  } as Unnumbered
}

/** Every missing fact once. */
function missingFacts({ isOfCluster }: PlanQuestion, planned: readonly PlannedPart[]): MissingFact[] {
  const answers = planned.map(({ answer }) => answer).filter(({ needs }) => needs === 'unknown')
  const silent = [...new Set(answers.map(({ project_slug }) => project_slug))]
  const how = 'Add a range with relt catalog import: see docs/catalog.md, "Your own facts".'
  return [
    ...(silent.length > 0
      ? [{ what: `Which Kubernetes ${listed(silent)} ${silent.length > 1 ? 'go' : 'goes'} with`, how }]
      : []),
    ...(isOfCluster
      ? [
          { what: 'Versions of the nodes', how: 'Compare kubectl get nodes with the rules of the step.' },
          {
            what: 'Who uses API versions that go away',
            how: 'Ask the API server: kubectl get --raw /metrics | grep apiserver_requested_deprecated_apis',
          },
        ]
      : []),
  ]
}
