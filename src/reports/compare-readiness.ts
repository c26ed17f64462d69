import type { AksReadiness, ReadinessChange } from '../contract/risk-path.ts'

interface Assessed {
  readiness: AksReadiness | null
  checksNotRun: readonly { id: string }[]
}

/** How the readiness for AKS Automatic changed; null where neither report says anything of it. */
export function compareReadiness(before: Assessed, after: Assessed): ReadinessChange | null {
  if (before.readiness === null && after.readiness === null) return null
  return {
    from: toFigures(before.readiness),
    to: toFigures(after.readiness),
    new_blockers: blockersOnlyIn(after, before),
    resolved_blockers: blockersOnlyIn(before, after),
  }
}

function toFigures(readiness: AksReadiness | null): ReadinessChange['from'] {
  if (!readiness) return null
  const { status, label, skipped, blocker_count, warning_count, alignment_passed, alignment_failed } = readiness
  return { status, label, skipped, blocker_count, warning_count, alignment_passed, alignment_failed }
}

/** A check that did not run in the other scan blocks nothing there, and is not well either. */
function blockersOnlyIn(one: Assessed, other: Assessed): ReadinessChange['new_blockers'] {
  if (!one.readiness || !other.readiness || one.readiness.skipped || other.readiness.skipped) return []
  const known = new Set([
    ...other.readiness.blockers.map(({ check_id }) => check_id),
    ...other.checksNotRun.map(({ id }) => id),
  ])
  return one.readiness.blockers.flatMap(({ check_id, name }) => (known.has(check_id) ? [] : [{ check_id, name }]))
}
