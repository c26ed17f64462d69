import type { UpgradeEvidence, UpgradePart } from '../contract/upgrade.ts'
import { suffixText } from '../views/upgrade-text.ts'
import { evidenceOf, openEvidence, passedEvidence, publishedEvidence, rowEvidence } from './evidence.ts'
import type { MoveTarget, PassedLine } from './find-move.ts'
import type { MovedPart, StuckPart } from './move-part.ts'
import type { PlanPart } from './part.ts'

/** Facts that the answer about a part is based on, by subject. */
export interface PartFacts {
  /** Published range for the running version and the target. */
  published: UpgradeEvidence
  /** Why a part outside of its range may still be upgradable. */
  open: UpgradeEvidence | undefined
  /** Helm's range of a next line that is only refused because of the suffix of the cluster's version. */
  refused: UpgradeEvidence | undefined
  /** Lines without an acceptable release, for a part without an upgrade path. */
  passed: UpgradeEvidence[]
  /** Ranges of the target versions, and of skipped lines. */
  moves: UpgradeEvidence[]
  /** States such as retired, faulty or compromised. */
  states: UpgradeEvidence[]
}

/** The answer about a part: its requirements, and the reasons. */
export function answerPart({ part, needs, moves, isPaired }: MovedPart, facts: PartFacts): UpgradePart {
  const { published, open, refused } = facts
  const [first, ...later] = moves
  const isMoving = needs === 'upgrade_before' && first !== undefined
  return {
    project_slug: part.slug,
    name: part.name,
    current_version: part.version,
    needs,
    to_version: isMoving ? toVersion(first.target) : null,
    via: isMoving ? first.target.via : [],
    ...(isMoving &&
      later.length > 0 && { later_versions: later.flatMap(({ target }) => [...target.via, toVersion(target)]) }),
    evidence: [
      published,
      ...(open ? [open] : []),
      ...(refused ? [refused] : []),
      ...facts.passed,
      // Two moves may skip the same line.
      ...new Map(facts.moves.map((one) => [one.says, one])).values(),
      ...facts.states,
      ...(part.chartNote === undefined ? [] : [evidenceOf('chart', part.chartNote)]),
    ],
    coupled: part.isCoupled,
    ...(isPaired && { paired: true }),
    workloads: part.workloads,
  }
}

export const toVersion = (target: MoveTarget) => ('line' in target ? target.line : target.version)

export function factsFor({ part, needs, moves, reading, stuck }: MovedPart, to: string): PartFacts {
  const toEvidence = (passed: PassedLine) => passedEvidence(part.name, passed)
  return {
    published: publishedEvidence(part, reading, to),
    open: needs === 'unknown' && stuck ? openEvidence(stuck) : undefined,
    refused: refusedEvidence(part, stuck),
    passed: (stuck?.passedOver ?? []).map(toEvidence),
    moves: moves.flatMap(({ allowed: { by }, passedOver }) => [
      ...(by ? [rowEvidence(part.name, by)] : []),
      ...passedOver.map(toEvidence),
    ]),
    states: retiredEvidence(part),
  }
}

function refusedEvidence({ name }: PlanPart, stuck: StuckPart | undefined) {
  const { by, suffix } = stuck?.refused ?? {}
  return by && suffix !== undefined ? rowEvidence(name, by, [suffixText(suffix)]) : undefined
}

export const successorsText = (what: string, successors: readonly string[]) =>
  successors.length === 0 ? what : `${what} Successors: ${successors.join(', ')}.`

/** What was retired, and its successor. */
export function retiredEvidence({ states }: PlanPart): UpgradeEvidence[] {
  return states.flatMap(({ state, what, source, successors }) =>
    state === 'retired' || state === 'withdrawn' || state === 'compromised'
      ? [evidenceOf(state, successorsText(what, successors), source)]
      : [],
  )
}
