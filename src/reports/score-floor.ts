import type { Guidance } from './guidance.ts'
import { findMissed, withFaults } from './missed.ts'
import type { Look } from './run-findings.ts'

/**
 * The lowest score that a run can have, if all that it did not read had failed; absent if nothing is unread. 0 if more than
 * checks is unread, or if the formula does not say what they count. Scanners count a check that did not run as passed.
 */
export function scoreFloor(
  score: number | null,
  { totalWeight }: Pick<Guidance, 'totalWeight'>,
  look: Look & { known?: Look | undefined },
): { score_floor?: number } {
  const missed = findMissed(look)
  const { checks, parts, namespaces, kinds } = missed
  const { unreadKinds = [], unreportedNamespaces = [] } = look.scope
  const isMore = [checks, parts, namespaces, kinds, unreadKinds, unreportedNamespaces].some(({ length }) => length > 0)
  const notRun = withFaults(look.checksNotRun, missed).filter(({ fault }) => fault === undefined)
  if (score === null || (notRun.length === 0 && !isMore)) return {}
  const isUnknown = isMore || totalWeight === null || notRun.some(({ weight }) => weight === undefined)
  const unread = notRun.reduce((sum, { weight = 0 }) => sum + weight, 0)
  return { score_floor: isUnknown ? 0 : Math.max(0, score - (unread / totalWeight) * 100) }
}
