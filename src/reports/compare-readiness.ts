import type { AksReadiness, ReadinessChange } from '../contract/risk-path.ts'
import { type Looked, whyNotShown } from './why-not-shown.ts'

interface Assessed extends Looked {
  readiness: AksReadiness | null
}

/** How the readiness for AKS Automatic changed; null if neither report assesses it. */
export function compareReadiness(before: Assessed, after: Assessed): ReadinessChange | null {
  if (before.readiness === null && after.readiness === null) return null
  return {
    from: toFigures(before.readiness),
    to: toFigures(after.readiness),
    new_blockers: blockersOnlyIn(after, before, 'earlier'),
    resolved_blockers: blockersOnlyIn(before, after, 'later'),
  }
}

function toFigures(readiness: AksReadiness | null): ReadinessChange['from'] {
  if (!readiness) return null
  const { status, label, skipped, blocker_count, warning_count, alignment_passed, alignment_failed } = readiness
  return { status, label, skipped, blocker_count, warning_count, alignment_passed, alignment_failed }
}

/** Leaves out blockers that the other scan could not have shown, for example because it excluded their check. */
function blockersOnlyIn(one: Assessed, other: Assessed, which: 'earlier' | 'later'): ReadinessChange['new_blockers'] {
  if (!one.readiness || !other.readiness || one.readiness.skipped || other.readiness.skipped) return []
  const known = new Set(other.readiness.blockers.map(({ check_id }) => check_id))
  return one.readiness.blockers
    .filter(({ check_id }) => !known.has(check_id) && !whyNotShown(new Set([check_id]), one, other, which))
    .map(({ check_id, name }) => ({ check_id, name }))
}
