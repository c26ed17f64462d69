import type { UpgradeCheck, UpgradeHop, UpgradePart, UpgradeReason, UpgradeStep } from '../contract/upgrade.ts'
import { offeringTitle } from '../lifecycle/offering.ts'
import { offeringCycles } from '../lifecycle/offering-cycles.ts'
import { listed } from '../util/words.ts'
import { answerPart, factsFor } from './answer-part.ts'
import { helmSuffix } from './chart-kubernetes.ts'
import { clusterHop, raisedNow, stepsOfHop } from './cluster-hop.ts'
import { once, type PlanKnowledge } from './known.ts'
import { compareLines, minorsBetween, toMinor } from './line.ts'
import { movePart, type Way } from './move-part.ts'
import { type KnownNodes, type PlacedNodes, placeNodes } from './node-hops.ts'
import type { PlanPart } from './part.ts'
import { removedBetween, type UsersOf, withUsers } from './removals.ts'
import { stepOfMove, type Unnumbered } from './step-of-part.ts'
import { reasonsOfApi, reasonsOfPart, verdictFor } from './verdict.ts'

export interface PlanQuestion {
  /** Kubernetes version as reported; null if unknown. */
  kubernetes: string | null
  /** Target minor version. */
  to: string
  parts: readonly PlanPart[]
  /** Kubernetes as a part, to name its releases; undefined if it is not in the catalog. */
  cluster: PlanPart | undefined
  offering: string | undefined
  /** Reasons about the inventory as a whole. */
  reasons: readonly UpgradeReason[]
  usersFor?: UsersOf | undefined
  /** Undefined if nodes were not collected. */
  nodes?: KnownNodes | undefined
  /** False for a question without a cluster, which is only about its parts. */
  isOfCluster: boolean
}

export type MadePlan = Omit<UpgradeCheck, 'success'>

/**
 * Creates the plan: constraints of each part, then hop by hop the steps before Kubernetes, Kubernetes, nodes, and the steps
 * after.
 */
export function makePlan(question: PlanQuestion, known: PlanKnowledge): MadePlan {
  const { kubernetes, to, offering, isOfCluster, usersFor = () => undefined } = question
  const from = kubernetes === null ? undefined : toMinor(kubernetes)
  const suffix = helmSuffix(kubernetes)
  const minors = from === undefined ? undefined : minorsBetween(from, to)
  // Without a path, checks whether each part supports the target.
  const way = { from: minors ? from! : to, to: minors ?? [] }
  const planned = question.parts.map((part) => planPart(part, { way, to, usersFor, suffix }, known))
  const placed =
    minors && isOfCluster
      ? placeNodes(question.nodes, { from: from!, minors, offering, rules: known.facts.skew })
      : undefined
  const { hops, steps } = minors
    ? makeHops(question, { from: from!, minors, planned, usersFor, placed }, known)
    : { hops: [], steps: [] }
  const reasons = [
    ...whyNoHops(kubernetes, from, to, minors),
    ...whyNotOut(to, offering, known),
    ...question.reasons,
    ...planned.flatMap(({ reasons }) => (minors ? reasons : reasons.map(undecided))),
    ...(placed?.reasons ?? []),
    ...(isOfCluster ? removalReasons(from, minors, { known, usersFor }) : []),
  ]
  const days = [question.cluster, ...question.parts].flatMap((part) => part?.knownUntil ?? [])
  return {
    catalog_date: days.sort()[0] ?? known.date,
    verdict: verdictFor(reasons),
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

/** Without a known path, nothing on it can block. */
const undecided = (reason: UpgradeReason): UpgradeReason =>
  reason.word === 'blocked' ? { ...reason, word: 'undetermined' } : reason

interface PlannedPart {
  answer: UpgradePart
  steps: Unnumbered[]
  reasons: UpgradeReason[]
}

interface PartQuestion {
  way: Way
  to: string
  usersFor: UsersOf
  /** Suffix of the offering's versions, see `helmSuffix`. */
  suffix: string
}

/** Cached, because clusters run the same versions of the same parts, with the same steps. */
function planPart(part: PlanPart, { way, to, usersFor, suffix }: PartQuestion, known: PlanKnowledge): PlannedPart {
  const question = ['part', part.identity, way.from, way.to.at(-1), to, suffix]
  const { answer, steps, reasons } = once(known, question, () => {
    const moved = movePart(part, way, {
      facts: known.facts,
      newestOn: known.newestOn,
      toRules: known.toRules,
      suffix,
    })
    const facts = factsFor(moved, to)
    const steps = moved.moves.map((move) => stepOfMove(move, known))
    return { answer: answerPart(moved, facts), steps, reasons: reasonsOfPart(moved, facts) }
  })
  const { workloads, owners } = part
  const places = { workloads, ...(owners && { owners }) }
  const own = steps.map((step) => ({ ...step, ...places, removed_apis: withUsers(step.removed_apis, usersFor) }))
  return { reasons, answer: { ...answer, ...places }, steps: own }
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
  const down = compareLines(to, from) < 0 ? 'down ' : ''
  return [
    { word: 'blocked', project_slug: 'kubernetes', says: `There is no way from Kubernetes ${from} ${down}to ${to}.` },
  ]
}

/** Removals in an unreleased Kubernetes may still change. An offering may have a release that is not known yet. */
function whyNotOut(to: string, offering: string | undefined, { minors, minorsFor }: PlanKnowledge): UpgradeReason[] {
  const about = { project_slug: 'kubernetes' }
  if (minors.length === 0 || minorsFor(offering).includes(to)) return []
  if (!minors.includes(to)) {
    return [{ word: 'not_stated', ...about, says: `The catalog knows no release of Kubernetes ${to}.` }]
  }
  const name = offeringTitle(offering!)
  const cycles = offeringCycles(offering!)
  const says = cycles
    ? `${name} listed no release of Kubernetes ${to} on ${cycles.as_of}.`
    : `The catalog knows no release of ${name} with Kubernetes ${to}.`
  return [{ word: 'undetermined', ...about, says }]
}

function removalReasons(
  from: string | undefined,
  minors: string[] | undefined,
  { known, usersFor }: { known: PlanKnowledge; usersFor: UsersOf },
) {
  let before = from
  return (minors ?? []).flatMap((hop) => {
    const start = before!
    const removed = once(known, ['removed', start, hop], () => removedBetween(known.facts, 'kubernetes', start, hop))
    before = hop
    return removed.flatMap((api) => reasonsOfApi(api, usersFor(api), hop))
  })
}

interface Course {
  from: string
  minors: readonly string[]
  planned: readonly PlannedPart[]
  usersFor: UsersOf
  placed: PlacedNodes | undefined
}

function makeHops(question: PlanQuestion, { from, minors, planned, usersFor, placed }: Course, known: PlanKnowledge) {
  const steps: UpgradeStep[] = []
  const hops: UpgradeHop[] = []
  const add = (own: readonly Unnumbered[]) => {
    for (const step of own) steps.push({ number: steps.length + 1, ...step })
  }
  const all = planned.flatMap((one) => one.steps)
  const stepsAt = (hop: string | null, when: 'before' | 'after') =>
    all.filter((step) => step.hop === hop && step.when === when)
  const { offering } = question
  if (placed?.now) add([raisedNow(placed.now, { from, offering }, known)])
  add(coupledFirst(stepsAt(null, 'before'), question.parts))
  let before = from
  let cluster = question.cluster
  for (const [index, hop] of minors.entries()) {
    const first = steps.length + 1
    const own = clusterHop({ before, hop, cluster, offering }, known)
    const of = placed && stepsOfHop(own, placed.hops[index]!)
    add([...(of?.before ?? []), ...coupledFirst(stepsAt(hop, 'before'), question.parts)])
    add([...(of?.after ?? []), ...stepsAt(hop, 'after')])
    const removed_apis = withUsers(own.about.removed_apis, usersFor)
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

/** Networks, storage and webhooks come first. */
function coupledFirst(steps: Unnumbered[], parts: readonly PlanPart[]) {
  const coupled = new Set(parts.filter(({ isCoupled }) => isCoupled).map(({ slug }) => slug))
  return steps.toSorted((a, b) => Number(coupled.has(b.project_slug)) - Number(coupled.has(a.project_slug)))
}

/** Facts that the plan lacks, each once. */
function missingFacts({ isOfCluster, nodes }: PlanQuestion, planned: readonly PlannedPart[]) {
  const answers = planned.map(({ answer }) => answer).filter(({ needs }) => needs === 'unknown')
  const silent = [...new Set(answers.map(({ project_slug }) => project_slug))]
  const how = 'Add a range with relt catalog import: see docs/catalog.md, "Your own facts".'
  return [
    ...(silent.length > 0
      ? [{ what: `Which Kubernetes ${listed(silent)} ${silent.length > 1 ? 'go' : 'goes'} with`, how }]
      : []),
    ...(isOfCluster
      ? [
          ...(nodes && nodes.unread === 0
            ? []
            : [
                { what: 'Versions of the nodes', how: 'relt scan inventory reads them where its role may list nodes.' },
              ]),
          {
            what: 'Who uses API versions that go away',
            how: 'Ask the API server: kubectl get --raw /metrics | grep apiserver_requested_deprecated_apis',
          },
        ]
      : []),
  ]
}
