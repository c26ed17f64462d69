import type { FindingListItem, Findings } from '../../contract/finding.ts'
import type { Db } from '../../db/open.ts'
import { severityFor } from '../../reports/finding-index.ts'
import type { Ownership } from '../../reports/ownership.ts'
import type { RunCounts } from '../../reports/run-counts.ts'
import type { RunFindings } from '../../reports/run-findings.ts'
import { type FindingFilter, isOnlySeverities, toGroup } from '../../reports/select-findings.ts'
import { findRunChanges, type RunChanges } from '../../store/findings/scanner-change.ts'
import type { LatestRun } from '../../store/runs/latest-run.ts'
import { listRunsWithoutEarlier } from '../../store/runs/list-runs.ts'
import { RecentValues } from '../../util/recent-values.ts'
import type { UnixSeconds } from '../../util/time.ts'
import type { Vault } from '../keys/vault.ts'
import { countsReader } from '../runs/counts.ts'
import type { RunChoice } from '../runs/latest.ts'
import { openFindings } from '../runs/open-findings.ts'
import { type AcceptedFindings, acceptedIn } from './accepted.ts'
import type { Accepting } from './accepting.ts'
import type { LookedAt, Order } from './candidates.ts'

type State = FindingListItem['state']

export interface FindingQuery extends RunChoice, FindingFilter {
  states?: State[] | undefined
  groupBy?: NonNullable<Findings['group_by']> | undefined
  order?: Order | undefined
  /** Default: `newsSince` now; for a named run, at its time. */
  since?: UnixSeconds | undefined
  page: number
  perPage: number
}

/** How a query is answered, and the data it needs. */
export interface SearchPlan {
  db: Db
  vault: Vault
  query: FindingQuery
  runs: LookedAt[]
  order: Order
  states: ReadonlySet<State>
  /** Only open findings are requested. */
  asksOpen: boolean
  /** Only open findings are requested, with no filter other than severity. */
  isOpenOnly: boolean
  wantsChanges: boolean
  /** Requested ranks of severity, worst first. */
  ranks: number[]
  /** The single check or namespace that is requested. */
  group: ReturnType<typeof toGroup>
  /** Undefined unless a single check is requested. */
  checkGroup: ReturnType<typeof toGroup>
  /** Since when findings are new. */
  since: UnixSeconds
  /** Only changes are requested. */
  asksChanges: boolean
  /** Row ids of runs without an earlier one until that time, if new findings are requested. */
  whole: ReadonlySet<number>
  /** Run row id → stored changes of the other runs, if only changes are requested. */
  changes: ReadonlyMap<number, RunChanges>
  /** Ownership rules of the account. */
  ownership: Ownership
  open: (run: LookedAt) => Promise<RunFindings>
  countsOf: (run: LookedAt) => Promise<RunCounts>
  acceptedOf: (run: LookedAt) => Promise<AcceptedFindings>
}

export const allRanks = [0, 1, 2, 3, 4]

export async function planSearch(
  db: Db,
  query: FindingQuery,
  stored: LatestRun[],
  { vault, accepting, ownership, since }: Pick<SearchPlan, 'vault' | 'ownership' | 'since'> & { accepting: Accepting },
): Promise<SearchPlan> {
  const { order = 'severity', severities } = query
  const states = new Set<State>(query.states ?? ['open'])
  const wantsChanges = states.has('new') || states.has('regressed')
  const asksChanges = wantsChanges && !states.has('open')
  const asksOpen = states.size === 1 && states.has('open')
  const runs = stored.map((run, position) => ({ position, stored: run }))
  const ids = stored.map(({ id }) => id)
  const group = toGroup(query)
  const asksNew = asksChanges && states.has('new')
  const whole = asksNew ? await listRunsWithoutEarlier(db, ids, since) : new Set<number>()
  const open = opener(db, vault)
  return {
    db,
    vault,
    query,
    runs,
    order,
    states,
    asksOpen,
    wantsChanges,
    ownership,
    open,
    since,
    asksChanges,
    whole,
    changes: asksChanges
      ? await findRunChanges(
          db,
          ids.filter((id) => !whole.has(id)),
          since,
        )
      : new Map(),
    isOpenOnly: asksOpen && isOnlySeverities(query),
    ranks: severities ? allRanks.filter((rank) => severities.includes(severityFor(rank))) : allRanks,
    group,
    checkGroup: toGroup({ check: query.check }),
    countsOf: countsReader(db, vault, stored),
    acceptedOf: acceptedReader({ db, vault, accepting, open, ownerId: query.ownerId }),
  }
}

/** Cache limit in bytes of records: responses about many runs open them one by one. */
const maxOpened = 8 << 20

/** A page opens its runs twice: to choose findings, and to read their texts. */
function opener(db: Db, vault: Vault): SearchPlan['open'] {
  const opened = new RecentValues<RunFindings>(maxOpened)
  return async ({ stored }) => {
    const key = stored.run.run_id
    const findings = opened.get(key) ?? (await openFindings(db, vault, stored))
    opened.set(key, findings, findings.index.records.length)
    return findings
  }
}

const noneAccepted: Promise<AcceptedFindings> = Promise.resolve(new Map())

function acceptedReader({
  accepting,
  open,
  ...source
}: Pick<SearchPlan, 'db' | 'vault' | 'open'> & { accepting: Accepting; ownerId: number }): SearchPlan['acceptedOf'] {
  const known = new Map<LookedAt, Promise<AcceptedFindings>>()
  return (run) => {
    const { stored } = run
    const acceptance = accepting.in(stored.run)
    const found =
      known.get(run) ??
      (acceptance ? acceptedIn(stored, acceptance, { ...source, open: () => open(run) }) : noneAccepted)
    known.set(run, found)
    return found
  }
}
