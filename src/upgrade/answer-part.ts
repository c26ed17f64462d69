import type { UpgradeEvidence, UpgradePart } from '../contract/upgrade.ts'
import { evidenceOf, openEvidence, rowEvidence } from './evidence.ts'
import type { MovedPart, MoveTarget } from './move-part.ts'
import type { PlanPart } from './part.ts'

/** A part of the answer: what it needs, and why. */
export function answerPart(moved: MovedPart, to: string): UpgradePart {
  const { part, needs, moves, isPaired } = moved
  const [first] = moves
  const isMoving = needs === 'upgrade_before' && first !== undefined
  return {
    project_slug: part.slug,
    name: part.name,
    current_version: part.version,
    needs,
    to_version: isMoving ? versionOf(first.step) : null,
    via: isMoving && 'via' in first.step ? first.step.via : [],
    evidence: evidenceFor(moved, to),
    coupled: part.isCoupled,
    ...(isPaired && { paired: true as const }),
    workloads: part.workloads,
  }
}

export const versionOf = (target: MoveTarget): string => ('line' in target ? target.line : target.version)

function evidenceFor({ part, needs, moves, reading, stuck }: MovedPart, to: string): UpgradeEvidence[] {
  const allowed = moves.flatMap(({ allowed: { by } }) => (by ? [rowEvidence(part.name, by)] : []))
  const isOut = needs === 'unknown' && stuck !== undefined
  return [
    ...evidenceOf(part, reading, to),
    ...(isOut ? [openEvidence(stuck.part, stuck.reading, stuck.hop)] : []),
    ...unique(allowed),
    ...retiredEvidence(part),
  ]
}

function unique(all: UpgradeEvidence[]): UpgradeEvidence[] {
  return [...new Map(all.map((one) => [one.says, one])).values()]
}

/** What ended, and what takes its place. */
export function retiredEvidence({ states }: PlanPart): UpgradeEvidence[] {
  return states
    .filter(({ state }) => state === 'retired' || state === 'withdrawn' || state === 'compromised')
    .map(({ what, source, successors }) => ({
      kind: 'retired' as const,
      says: successors.length === 0 ? what : `${what} Successors: ${successors.join(', ')}.`,
      source,
      as_of: null,
    }))
}
