import type { FindingListItem, Findings } from '../../contract/finding.ts'
import type { Db } from '../../db/open.ts'
import { severityFor } from '../../reports/finding-index.ts'
import type { Ownership } from '../../reports/ownership.ts'
import type { RunFindings } from '../../reports/run-findings.ts'
import { type FindingFilter, isOnlySeverities, toGroup } from '../../reports/select-findings.ts'
import { findRunChanges, type RunChanges } from '../../store/findings/scanner-change.ts'
import type { LatestRun } from '../../store/runs/latest-run.ts'
import { listRunsWithEarlier } from '../../store/runs/list-runs.ts'
import { RecentValues } from '../../util/recent-values.ts'
import type { Vault } from '../keys/vault.ts'
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
  page: number
  perPage: number
}

/** How a question is answered, and what answering it reads. */
export interface SearchPlan {
  db: Db
  vault: Vault
  query: FindingQuery
  runs: LookedAt[]
  order: Order
  states: ReadonlySet<State>
  /** Open findings and nothing else. */
  asksOpen: boolean
  /** The same, by severity at most. */
  isOpenOnly: boolean
  wantsChanges: boolean
  /** Those that are asked for, the worst first. */
  ranks: number[]
  /** The check or the namespace that alone is asked for. */
  group: ReturnType<typeof toGroup>
  /** Undefined: no check alone is asked for. */
  checkGroup: ReturnType<typeof toGroup>
  /** Stored changes by the run's row id, where only changes are asked for. */
  changes: ReadonlyMap<number, RunChanges>
  /** Where only changes are asked for: row ids of the runs that have something to compare with. */
  withEarlier: ReadonlySet<number> | undefined
  /** Who owns what, by the rules of the account. */
  ownership: Ownership
  open: (run: LookedAt) => Promise<RunFindings>
  acceptedOf: (run: LookedAt) => Promise<AcceptedFindings>
}

export const allRanks = [0, 1, 2, 3, 4]

interface Source {
  vault: Vault
  accepting: Accepting
}

interface AccountRules extends Source {
  ownership: Ownership
}

export async function planSearch(
  db: Db,
  query: FindingQuery,
  stored: LatestRun[],
  { vault, accepting, ownership }: AccountRules,
): Promise<SearchPlan> {
  const { order = 'severity', severities } = query
  const states = new Set<State>(query.states ?? ['open'])
  const wantsChanges = states.has('new') || states.has('regressed')
  const asksOpen = states.size === 1 && states.has('open')
  const runs = stored.map((run, position) => ({ position, stored: run }))
  const open = opener(db, vault)
  return {
    ...{ db, vault, query, runs, order, states, asksOpen, wantsChanges, ownership, open },
    ...(wantsChanges && !states.has('open')
      ? await findEarlier(db, runs)
      : { changes: new Map(), withEarlier: undefined }),
    isOpenOnly: asksOpen && isOnlySeverities(query),
    ranks: severities ? allRanks.filter((rank) => severities.includes(severityFor(rank))) : allRanks,
    group: toGroup(query),
    checkGroup: toGroup({ check: query.check }),
    acceptedOf: acceptedReader({ db, vault, accepting, open, ownerId: query.ownerId }),
  }
}

/** Two queries for all runs. */
async function findEarlier(db: Db, runs: LookedAt[]): Promise<Pick<SearchPlan, 'changes' | 'withEarlier'>> {
  const ids = runs.map(({ stored }) => stored.id)
  const changes = await findRunChanges(db, ids)
  const others = ids.filter((id) => !changes.has(id))
  return { changes, withEarlier: (await listRunsWithEarlier(db, others)).union(new Set(changes.keys())) }
}

/** Bytes of the records of opened runs: answers about many runs open one after the other. */
const maxOpened = 8 << 20

/** The runs of a page are opened to choose its findings, and for their texts. */
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
}: Source & Pick<SearchPlan, 'db' | 'open'> & { ownerId: number }): SearchPlan['acceptedOf'] {
  const known = new Map<LookedAt, Promise<AcceptedFindings>>()
  return (run) => {
    const { stored } = run
    const acceptance = accepting.in(stored.run)
    const found =
      known.get(run) ??
      (acceptance
        ? acceptedIn({ id: stored.id, runId: stored.run.run_id }, acceptance, { ...source, open: () => open(run) })
        : noneAccepted)
    known.set(run, found)
    return found
  }
}
