import type { UpgradeEvidence, UpgradePart } from '../contract/upgrade.ts'
import { suffixText } from '../views/upgrade-text.ts'
import { openEvidence, passedEvidence, rowEvidence, toEvidence } from './evidence.ts'
import type { MoveTarget } from './find-move.ts'
import type { MovedPart, StuckPart } from './move-part.ts'
import type { PlanPart } from './part.ts'

/** A part of the answer: what it needs, and why. */
export function answerPart(moved: MovedPart, to: string): UpgradePart {
  const { part, needs, moves, isPaired } = moved
  const [first, ...later] = moves
  const isMoving = needs === 'upgrade_before' && first !== undefined
  return {
    project_slug: part.slug,
    name: part.name,
    current_version: part.version,
    needs,
    to_version: isMoving ? toVersion(first.target) : null,
    via: isMoving ? first.target.via : [],
    ...(isMoving && later.length > 0 && { later_versions: later.flatMap(({ target }) => wayTo(target)) }),
    evidence: evidenceFor(moved, to),
    coupled: part.isCoupled,
    ...(isPaired && { paired: true as const }),
    workloads: part.workloads,
  }
}

export const toVersion = (target: MoveTarget): string => ('line' in target ? target.line : target.version)

const wayTo = (target: MoveTarget): string[] => [...target.via, toVersion(target)]

function evidenceFor({ part, needs, moves, reading, stuck }: MovedPart, to: string): UpgradeEvidence[] {
  const allowed = moves.flatMap(({ allowed: { by }, passedOver }) => [
    ...(by ? [rowEvidence(part.name, by)] : []),
    ...passedOver.map((passed) => passedEvidence(part.name, passed)),
  ])
  const isOut = needs === 'unknown' && stuck !== undefined
  return [
    ...toEvidence(part, reading, to),
    ...(isOut ? [openEvidence(stuck)] : []),
    ...refusedEvidence(part, stuck),
    ...(stuck?.passedOver ?? []).map((passed) => passedEvidence(part.name, passed)),
    ...unique(allowed),
    ...retiredEvidence(part),
    ...(part.chartNote === undefined
      ? []
      : [{ kind: 'chart' as const, says: part.chartNote, source: null, as_of: null }]),
  ]
}

/** What Helm says of a next line that is refused for the suffix of the cluster's version alone. */
export const refusedEvidence = ({ name }: PlanPart, stuck: StuckPart | undefined): UpgradeEvidence[] => {
  const { by, suffix } = stuck?.refused ?? {}
  return by && suffix !== undefined ? [rowEvidence(name, by, [suffixText(suffix)])] : []
}

function unique(all: UpgradeEvidence[]): UpgradeEvidence[] {
  return [...new Map(all.map((one) => [one.says, one])).values()]
}

export const successorsText = (what: string, successors: readonly string[]): string =>
  successors.length === 0 ? what : `${what} Successors: ${successors.join(', ')}.`

/** What ended, and what takes its place. */
export function retiredEvidence({ states }: PlanPart): UpgradeEvidence[] {
  return states
    .flatMap(({ state, ...fact }) =>
      state === 'retired' || state === 'withdrawn' || state === 'compromised' ? [{ state, ...fact }] : [],
    )
    .map(({ state, what, source, successors }) => ({
      kind: state,
      says: successorsText(what, successors),
      source,
      as_of: null,
    }))
}
