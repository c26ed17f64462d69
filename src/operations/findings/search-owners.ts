import type { OwnerRule } from '../../contract/ownership.ts'
import { isOwnedBy, ownersOfRecords } from '../../reports/record-owners.ts'
import type { FindingCandidate, LookedAt } from './candidates.ts'
import type { SearchPlan } from './search-plan.ts'

/** Returns the owners of a run's findings. */
export async function ownersFor(
  plan: SearchPlan,
  run: LookedAt,
  own: FindingCandidate[],
): Promise<Map<FindingCandidate, OwnerRule[]>> {
  const findings = await plan.open(run)
  const ownership = plan.ownership.in(run.stored.run, findings)
  const offsets = own.flatMap(({ subject }) => (typeof subject === 'number' ? [subject] : []))
  const found = await ownersOfRecords(findings, ownership, offsets)
  const toRules = ({ subject }: FindingCandidate): OwnerRule[] => {
    if (typeof subject === 'number') return found.get(subject)!
    const rule = 'resource' in subject ? ownership.of(subject.namespace, subject.resource) : undefined
    return rule ? [rule] : []
  }
  return new Map(own.map((candidate) => [candidate, toRules(candidate)]))
}

/** Keeps findings of the requested owner; all if none is requested. */
export async function keepOwned(
  plan: SearchPlan,
  run: LookedAt,
  found: FindingCandidate[],
): Promise<FindingCandidate[]> {
  const { owner } = plan.query
  if (owner === undefined || found.length === 0) return found
  const owners = await ownersFor(plan, run, found)
  return found.filter((candidate) => isOwnedBy(owners.get(candidate)!, owner))
}

/** Like `keepOwned`, for records by offset. */
export async function keepOwnedRecords<T extends { at: number }>(
  plan: SearchPlan,
  run: LookedAt,
  found: T[],
): Promise<T[]> {
  const { owner } = plan.query
  if (owner === undefined || found.length === 0) return found
  const findings = await plan.open(run)
  const ownership = plan.ownership.in(run.stored.run, findings)
  const offsets = found.map(({ at }) => at)
  const owners = await ownersOfRecords(findings, ownership, offsets)
  return found.filter(({ at }) => isOwnedBy(owners.get(at)!, owner))
}
