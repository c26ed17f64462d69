import type { FindingsOfRun } from '../../contract/finding.ts'
import type { Db } from '../../db/open.ts'
import { equalShare } from '../../reports/equal-share.ts'
import { severityFor } from '../../reports/finding-index.ts'
import { checkAt, countAt, isUnlistedAt, placeAt, rankAt, recordLength } from '../../reports/finding-records.ts'
import type { CheckGuidance } from '../../reports/guidance.ts'
import { readFindings } from '../../reports/read-findings.ts'
import type { RunFindings } from '../../reports/run-findings.ts'
import { scoreGains } from '../../reports/score-gain.ts'
import { listSuppressed } from '../../reports/suppressed.ts'
import type { LatestRun } from '../../store/runs/latest-run.ts'
import { markExploited } from '../facts/exploited-findings.ts'
import type { Vault } from '../keys/vault.ts'
import { openGuidance } from '../runs/guidance.ts'
import { openFindings } from '../runs/open-findings.ts'
import { acceptedIn } from './accepted.ts'
import type { Accepting } from './accepting.ts'

type CheckOfRun = FindingsOfRun['checks'][number]

/** Lists the checks of a run with up to `limit` findings in total. The run must be indexed by current rules. */
export async function listRunFindings(
  db: Db,
  stored: LatestRun,
  { vault, limit, ownerId, accepting }: { vault: Vault; limit: number; ownerId: number; accepting: Accepting },
): Promise<FindingsOfRun> {
  const run = await openFindings(db, vault, stored)
  const guidance = await openGuidance(db, vault, stored)
  const { basis, gains } = scoreGains(guidance)
  const groups = groupByCheck(run)
  const share = equalShare(
    groups.map(({ offsets }) => offsets.length),
    limit,
  )
  const suppressed = listSuppressed(run)
  const open = describeChecks(run, groups, { advised: guidance.checks, gains })
  const items = await readFindings(run, groups.flatMap(({ offsets }) => offsets.slice(0, share)).slice(0, limit))
  await markExploited<{ check_id: string }>(db, open, items, suppressed)
  const acceptance = accepting.in(stored.run)
  acceptance?.mark(items)
  const source = { db, vault, ownerId, open: async () => run }
  const accepted = acceptance && (await acceptedIn(stored, acceptance, source))
  return {
    success: true,
    run_id: stored.run.run_id,
    findings: open.reduce((sum, { findings }) => sum + findings, 0),
    rows: open.reduce((sum, { rows }) => sum + rows, 0),
    basis,
    checks: open,
    items,
    suppressed: suppressed.slice(0, limit),
    suppressed_count: suppressed.length,
    accepted_findings_count: accepted?.size ?? 0,
    excluded_namespaces: run.scope.excludedNamespaces,
  }
}

type Gains = ReturnType<typeof scoreGains>['gains']

/** Adds each check's remediation and the points its score would gain. */
function describeChecks(
  run: RunFindings,
  groups: Group[],
  { advised, gains }: { advised: CheckGuidance[]; gains: Gains },
): CheckOfRun[] {
  const advice = new Map(advised.map((check) => [check.id, check]))
  const points = new Map(gains.map((gain) => [gain.check.id, gain.points]))
  return groups.map(({ check, offsets, rank }) => {
    const { id: check_id, name: check_name, category } = run.index.checks[check]!
    const unlisted = offsets.filter((at) => isUnlistedAt(run.index.records, at))
    return {
      check_id,
      check_name,
      category,
      severity: severityFor(rank),
      findings: offsets.length,
      rows: rowsAt(run, offsets),
      unlisted_rows: rowsAt(run, unlisted),
      points: hundredths(points.get(check_id) ?? 0),
      recommendation: advice.get(check_id)?.recommendation ?? null,
      url: advice.get(check_id)?.url ?? null,
    }
  })
}

interface Group {
  /** Position of the check in the index. */
  check: number
  /** Rank of the worst finding. */
  rank: number
  /** Offsets of records, the worst first, then in report order. */
  offsets: number[]
}

/** Sorted by worst finding, then by number of findings. */
function groupByCheck({ index: { records, checks } }: RunFindings): Group[] {
  const groups = new Map<number, Group>()
  for (let at = 0; at < records.length; at += recordLength) {
    const check = checkAt(records, at)
    const rank = rankAt(records, at)
    const group = groups.get(check) ?? { check, rank, offsets: [] }
    groups.set(check, group)
    group.rank = Math.min(group.rank, rank)
    group.offsets.push(at)
  }
  for (const group of groups.values()) {
    const keyed = group.offsets.map((at) => ({ at, key: rankAt(records, at) * 2 ** 32 + placeAt(records, at) }))
    group.offsets = keyed.sort((a, b) => a.key - b.key).map(({ at }) => at)
  }
  return [...groups.values()].sort(
    (a, b) =>
      a.rank - b.rank || b.offsets.length - a.offsets.length || (checks[a.check]!.id < checks[b.check]!.id ? -1 : 1),
  )
}

const rowsAt = ({ index }: RunFindings, offsets: number[]): number =>
  offsets.reduce((sum, at) => sum + countAt(index.records, at), 0)

const hundredths = (value: number): number => Math.round(value * 100) / 100
