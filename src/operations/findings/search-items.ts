import type { FindingListItem } from '../../contract/finding.ts'
import { type SuppressedRow, severityFor } from '../../reports/finding-index.ts'
import { fingerprintsAt } from '../../reports/finding-records.ts'
import { readFindings } from '../../reports/read-findings.ts'
import type { RunFindings } from '../../reports/run-findings.ts'
import type { NotRunCheck } from '../../reports/scan.ts'
import { findRunChanges } from '../../store/findings/scanner-change.ts'
import { listFirstSeen } from '../../store/runs/finding-history.ts'
import { formatTimestamp, timestampOrNull } from '../../util/time.ts'
import { markExploited } from '../facts/exploited-findings.ts'
import type { FindingCandidate, LookedAt } from './candidates.ts'
import { keyAt } from './run-changes.ts'
import { toChanges } from './search-changes.ts'
import { ownersFor } from './search-owners.ts'
import type { SearchPlan } from './search-plan.ts'

type RunFields = 'cluster_name' | 'environment' | 'run_id' | 'format' | 'seen_at'

/** The findings of a page with texts, in page order. */
export async function toItems(plan: SearchPlan, chosen: FindingCandidate[]): Promise<FindingListItem[]> {
  const byRun = Map.groupBy(chosen, ({ run }) => run)
  const ids = [...byRun.keys()].map(({ stored }) => stored.id)
  // Changes of all runs may already be loaded.
  const changes = plan.asksChanges ? plan.changes : await findRunChanges(plan.db, ids, plan.since)
  const items = new Map<FindingCandidate, FindingListItem>()
  for (const [run, own] of byRun) {
    const findings = await plan.open(run)
    const listed = own.filter(({ subject }) => typeof subject === 'number')
    const offsets = listed.map(({ subject }) => subject as number)
    const records = await listedItems({ ...plan, changes }, run, { findings, offsets })
    const rules = await ownersFor(plan, run, own)
    const owned = (candidate: FindingCandidate) => ({ owners: rules.get(candidate)!.map(({ owner }) => owner) })
    listed.forEach((candidate, i) => {
      items.set(candidate, { ...records[i]!, ...owned(candidate) })
    })
    for (const candidate of own) {
      const { subject } = candidate
      if (typeof subject === 'number') continue
      items.set(candidate, { ...unlistedItem(subject, findings), ...runFields(run), ...owned(candidate) })
    }
  }
  const found = chosen.map((candidate) => items.get(candidate)!)
  await markExploited(plan.db, found)
  return found
}

function runFields({ stored: { run, at } }: LookedAt): Pick<FindingListItem, RunFields> {
  const { cluster_name, environment, run_id, format } = run
  return { cluster_name, environment, run_id, format, seen_at: formatTimestamp(at) }
}

async function listedItems(
  plan: SearchPlan,
  run: LookedAt,
  { findings, offsets }: { findings: RunFindings; offsets: number[] },
): Promise<FindingListItem[]> {
  if (offsets.length === 0) return []
  const { records } = findings.index
  const texts = await readFindings(findings, offsets)
  const changes = await toChanges(plan, run)
  const accepted = await plan.acceptedOf(run)
  const common = runFields(run)
  const firsts = await listFirstSeen(plan.db, run.stored.clusterId, fingerprintsAt(records, offsets))
  return offsets.map((at, i) => {
    const first = firsts.get(i)
    const key = keyAt(records, at)
    const by = accepted.get(key)?.by
    return {
      ...texts[i]!,
      ...common,
      ...(by && { accepted: by }),
      state: by ? 'accepted' : (changes?.states.get(key) ?? 'open'),
      first_seen_at: timestampOrNull(first),
      reason: null,
      suppressed_until: null,
    }
  })
}

/** An item for a finding that has no record. */
function unlistedItem(subject: SuppressedRow | NotRunCheck, { index }: RunFindings): Omit<FindingListItem, RunFields> {
  if (!('fingerprint' in subject)) {
    const { id, name, reason } = subject
    return {
      fingerprint: null,
      check_id: id,
      check_name: name,
      category: '',
      severity: null,
      namespace: null,
      resource: null,
      message: reason,
      value: null,
      state: 'not-run',
      first_seen_at: null,
      reason,
      suppressed_until: null,
    }
  }
  const { fingerprint, check, rank, namespace, resource, message, value, count, reason, until } = subject
  const { id, name, category } = index.checks[check]!
  return {
    fingerprint,
    check_id: id,
    check_name: name,
    category,
    severity: severityFor(rank),
    namespace,
    resource,
    message,
    value,
    count,
    state: 'suppressed',
    first_seen_at: null,
    reason,
    suppressed_until: until,
  }
}
