import type { FindingCoverage, FindingGroup, FindingListItem, Findings } from '../../contract/finding.ts'
import type { OwnerRule } from '../../contract/ownership.ts'
import type { Db } from '../../db/open.ts'
import { compareRuns } from '../../reports/compare.ts'
import { type SuppressedRow, severityOf } from '../../reports/finding-index.ts'
import { checkAt, countAt, fingerprintsAt, rankAt, recordLength } from '../../reports/finding-records.ts'
import type { Ownership } from '../../reports/ownership.ts'
import { namespacesAt } from '../../reports/place-sets.ts'
import { readFindings } from '../../reports/read-findings.ts'
import { isOwnedBy, ownersOfRecords } from '../../reports/record-owners.ts'
import { coverageOf } from '../../reports/run-coverage.ts'
import type { RunFindings } from '../../reports/run-findings.ts'
import type { NotRunCheck } from '../../reports/scan.ts'
import {
  type FilterSubject,
  type FindingFilter,
  groupOf,
  isOnlySeverities,
  matchesFilter,
  selectRecords,
  textsOf,
} from '../../reports/select-findings.ts'
import { stableResource } from '../../reports/stable-name.ts'
import { findRunChanges, type RunChanges } from '../../store/findings/scanner-change.ts'
import { findKnownFingerprints, listFirstSeen } from '../../store/runs/finding-history.ts'
import { getFindingRecords } from '../../store/runs/part.ts'
import { findRunBefore, type LatestRun, listRunsWithEarlier } from '../../store/runs/run.ts'
import { RecentValues } from '../../util/recent-values.ts'
import { formatTimestamp } from '../../util/time.ts'
import { markExploited } from '../facts/exploited-findings.ts'
import type { Vault } from '../keys/vault.ts'
import { chooseLatestRuns, type RunChoice } from '../runs/latest.ts'
import { openBefore, openFindings } from '../runs/open-findings.ts'
import { type AcceptedFindings, acceptedIn } from './accepted.ts'
import { type Accepting, findAccepting } from './accepting.ts'
import {
  candidateOf,
  compareBy,
  type FindingCandidate,
  type LookedAt,
  mergeSorted,
  noRank,
  type Order,
  withinRun,
} from './candidates.ts'
import { Groups } from './group.ts'
import { findOwnershipOf } from './ownership.ts'
import { type ChangeState, keyAt, statesOf, storedStates } from './run-changes.ts'
import { countsOf, type EqualFindings } from './run-counts.ts'
import { groupsOf, type RunGroup, type RunGroups } from './run-groups.ts'

type State = FindingListItem['state']

export interface FindingQuery extends RunChoice, FindingFilter {
  states?: State[] | undefined
  groupBy?: NonNullable<Findings['group_by']> | undefined
  order?: Order | undefined
  page: number
  perPage: number
}

interface Options {
  vault: () => Promise<Vault>
  /** Unix seconds. */
  now: number
}

/** Findings of the latest runs, or of one run, page by page. Only the texts of the page are opened, unless a filter reads texts. */
export async function listFindings(db: Db, query: FindingQuery, { vault, now }: Options): Promise<Findings> {
  const stored = await chooseLatestRuns(db, query, vault)
  const runs = stored.map((run, position) => ({ position, stored: run }))
  const accepting = await findAccepting(db, { ownerId: query.ownerId, vault, now })
  const ownership = await findOwnershipOf(db, query.ownerId, vault)
  const search = new Search(db, await vault(), query, { accepting, ownership })
  const found = query.groupBy ? await search.group(runs, query.groupBy) : await search.page(runs)
  const { total, findings, rows } = found
  return {
    page: query.page,
    per_page: query.perPage,
    total,
    total_pages: Math.ceil(total / query.perPage),
    findings,
    rows,
    group_by: query.groupBy ?? null,
    items: found.items,
    groups: found.groups,
    looked_at: { ...coverageOf(stored, now), ...search.gaps(), accepted_findings: await search.countAccepted(runs) },
  }
}

/** What the account has decided about its clusters. */
interface AccountRules {
  accepting: Accepting
  ownership: Ownership
}

interface Found {
  total: number
  findings: number
  rows: number
  items: FindingListItem[]
  groups: FindingGroup[]
}

/** Findings of one run that stand together in the answer. */
interface Segment {
  run: LookedAt
  rank: number
  /** Rows of each; undefined: any. */
  count?: number
  findings: number
}

/** Bytes of the records of opened runs: answers about many runs open one after the other. */
const maxOpened = 8 << 20

class Search {
  readonly #db: Db
  readonly #vault: Vault
  readonly #query: FindingQuery
  readonly #accepting: Accepting
  readonly #ownership: Ownership
  readonly #states: Set<State>
  readonly #group: ReturnType<typeof groupOf>
  readonly #checkGroup: ReturnType<typeof groupOf>
  #unlistedRows: number | null = null
  #withoutEarlierRun: number | null = null
  #incomparable: number | null = null
  /** Row ids of the runs that have something to compare with. */
  #withEarlier: Set<number> | undefined
  /** By the run's row id. A run whose changes are not stored is missing. */
  #changes = new Map<number, RunChanges>()
  /** By the run's position. */
  readonly #accepted = new Map<number, Promise<AcceptedFindings>>()
  readonly #opened = new RecentValues<RunFindings>(maxOpened)

  constructor(db: Db, vault: Vault, query: FindingQuery, { accepting, ownership }: AccountRules) {
    this.#accepting = accepting
    this.#ownership = ownership
    this.#db = db
    this.#vault = vault
    this.#query = query
    this.#states = new Set(query.states ?? ['open'])
    this.#group = groupOf(query)
    this.#checkGroup = groupOf({ check: query.check })
  }

  gaps(): Pick<FindingCoverage, 'unlisted_rows' | 'without_earlier_run' | 'incomparable_findings'> {
    return {
      unlisted_rows: this.#unlistedRows,
      without_earlier_run: this.#withoutEarlierRun,
      incomparable_findings: this.#incomparable,
    }
  }

  async page(runs: LookedAt[]): Promise<Found> {
    const { page, perPage, order = 'severity' } = this.#query
    const [start, end] = [(page - 1) * perPage, page * perPage]
    await this.#findEarlier(runs)
    const counted = this.#canCount() ? await this.#pageByCounts(runs, start, end) : undefined
    const { total, rows, chosen } = counted ?? (await this.#pageBySearch(runs, compareBy[order], start, end))
    return { total, findings: total, rows, items: await this.#itemsOf(chosen), groups: [] }
  }

  /** The counts of each run say which runs the page is in. */
  #canCount(): boolean {
    const { order = 'severity' } = this.#query
    if (order === 'count') return this.#isOpenOnly()
    if (order !== 'severity' && order !== 'cluster') return false
    if (this.#isOpenOnly()) return true
    const isChanges = [...this.#states].every((state) => state === 'new' || state === 'regressed')
    return (this.#asksOpen() || isChanges) && (isOnlySeverities(this.#query) || this.#group !== undefined)
  }

  #asksOpen(): boolean {
    return this.#states.size === 1 && this.#states.has('open')
  }

  /** Open findings, by severity at most. */
  #isOpenOnly(): boolean {
    return this.#asksOpen() && isOnlySeverities(this.#query)
  }

  async #pageByCounts(runs: LookedAt[], start: number, end: number) {
    const { segments, rows } = await this.#segmentsOf(runs)
    const chosen: FindingCandidate[] = []
    const byRun = new Map<LookedAt, (Segment & { from: number; to: number; at: number })[]>()
    let total = 0
    for (const segment of segments) {
      const { run, findings } = segment
      const [from, to] = [Math.max(start - total, 0), Math.min(end - total, findings)]
      if (from < to) byRun.set(run, [...(byRun.get(run) ?? []), { ...segment, from, to, at: total + from }])
      total += findings
    }
    for (const [run, parts] of byRun) {
      const findings = await this.#open(run)
      const { index } = findings
      const selected = (await selectRecords(findings, this.#query)).offsets
      const accepted = await this.#acceptedOf(run)
      const matching = this.#asksOpen()
        ? selected.filter((at) => !accepted.has(keyAt(index.records, at)))
        : this.#inStates(await this.#changesOf(run, findings), { index, accepted }, selected)
      for (const { rank, count, from, to, at } of parts) {
        const offsets = matching.filter(
          (offset) =>
            rankAt(index.records, offset) === rank && (count === undefined || countAt(index.records, offset) === count),
        )
        const own = offsets.map((offset) => candidateOf(run, index, offset)).sort(withinRun)
        own.slice(from, to).forEach((candidate, i) => {
          chosen[at - start + i] = candidate
        })
      }
    }
    return { total, rows, chosen }
  }

  /** In the order that was asked for. */
  async #segmentsOf(runs: LookedAt[]): Promise<{ segments: Segment[]; rows: number }> {
    const ranks = this.#ranks()
    if (this.#query.order === 'count') return this.#segmentsByCount(runs, ranks)
    const counted: RankCounts[] = []
    for (const run of runs) counted.push(await this.#countRanks(run, ranks))
    const segmentOf = (i: number, rank: number) => ({ run: runs[i]!, rank, findings: counted[i]!.findings[rank]! })
    const all = [...runs.keys()]
    const segments =
      this.#query.order === 'cluster'
        ? all.flatMap((i) => ranks.map((rank) => segmentOf(i, rank)))
        : ranks.flatMap((rank) => all.map((i) => segmentOf(i, rank)))
    const rows = counted.reduce((sum, each) => sum + sumOf(ranks, each.rows), 0)
    return { segments, rows }
  }

  /** How much of a run matches: by severity, in a group at most. */
  async #countRanks(run: LookedAt, ranks: number[]): Promise<RankCounts> {
    if (!this.#asksOpen()) return this.#countChanges(run, ranks)
    const { stored } = run
    const group = this.#group
    const accepted = await this.#matchingAccepted(run)
    if (!group) {
      return without(accepted, { findings: stored.distinct, rows: allRanks.map((rank) => rowsOf(stored, rank)) })
    }
    const groups = await this.#groupsOf(stored)
    const wanted = groups[group.by].filter(({ key }) => group.has(key))
    this.#addUnlisted(group.by === 'check' ? wanted : groups.check, ranks)
    const sum = (values: number[][]) => allRanks.map((rank) => values.reduce((all, each) => all + each[rank]!, 0))
    return without(accepted, {
      findings: sum(wanted.map(({ findings }) => findings)),
      rows: sum(wanted.map(({ rows }) => rows)),
    })
  }

  async #countChanges(run: LookedAt, ranks: number[]): Promise<RankCounts> {
    const counts = { findings: [0, 0, 0, 0, 0], rows: [0, 0, 0, 0, 0] }
    const add = ({ rank, count }: { rank: number; count: number }) => {
      counts.findings[rank]!++
      counts.rows[rank]! += count
    }
    if (await this.#isUnchanged(run)) return counts
    const changes = this.#changes.get(run.stored.id)
    if (!changes) {
      for (const candidate of await this.#recordsOf(run, await this.#open(run))) add(candidate)
      return counts
    }
    await this.#addUnlistedOf(run, ranks)
    this.#withoutEarlierRun ??= 0
    this.#incomparable = (this.#incomparable ?? 0) + changes.incomparable
    const isWanted = await this.#recordFilter(run.stored)
    const accepted = await this.#acceptedOf(run)
    for (const state of ['new', 'regressed'] as const) {
      if (!this.#states.has(state)) continue
      const records = changes[state]
      for (let at = 0; at < records.length; at += recordLength) {
        if (isWanted(records, at) && !accepted.has(keyAt(records, at)))
          add({ rank: rankAt(records, at), count: countAt(records, at) })
      }
    }
    return counts
  }

  /** Whether a record of the run is in the group that is asked for. */
  async #recordFilter(stored: LatestRun): Promise<(records: Buffer, at: number) => boolean> {
    const group = this.#group
    if (!group) return () => true
    const groups = await this.#groupsOf(stored)
    const wanted = groups[group.by].filter(({ key }) => group.has(key))
    const numbers = new Set(wanted.map(({ number }) => number))
    if (group.by === 'check') return (records, at) => numbers.has(checkAt(records, at))
    return (records, at) => namespacesAt(records, at, groups.places).some((number) => numbers.has(number))
  }

  #groupsOf(stored: LatestRun): Promise<RunGroups> {
    return groupsOf(stored.run.run_id, () => openFindings(this.#db, this.#vault, stored))
  }

  #addUnlisted(groups: RunGroup[], ranks: number[]): void {
    const own = groups.reduce((sum, { unlistedRows }) => sum + sumOf(ranks, unlistedRows), 0)
    this.#unlistedRows = (this.#unlistedRows ?? 0) + own
  }

  async #segmentsByCount(runs: LookedAt[], ranks: number[]): Promise<{ segments: Segment[]; rows: number }> {
    const equals = new Map<string, Required<Segment>[]>()
    let rows = 0
    for (const run of runs) {
      this.#unlistedRows ??= 0
      const accepted = Object.groupBy(await this.#matchingAccepted(run), ({ rank, count }) => `${count} ${rank}`)
      for (const { rank, count, findings: all, unlistedRows } of await this.#countsOf(run)) {
        if (!ranks.includes(rank)) continue
        const findings = all - (accepted[`${count} ${rank}`]?.length ?? 0)
        const key = `${count} ${rank}`
        const segment = { run, rank, count, findings }
        const known = equals.get(key)
        if (known) known.push(segment)
        else equals.set(key, [segment])
        rows += count * findings
        this.#unlistedRows += unlistedRows
      }
    }
    const mostFirst = [...equals.values()].sort(([a], [b]) => b!.count - a!.count || a!.rank - b!.rank)
    return { segments: mostFirst.flat(), rows }
  }

  #countsOf({ stored }: LookedAt): Promise<EqualFindings[]> {
    return countsOf(stored.run.run_id, () => getFindingRecords(this.#db, stored.id))
  }

  #ranks(): number[] {
    const { severities } = this.#query
    return severities ? allRanks.filter((rank) => severities.includes(severityOf(rank))) : allRanks
  }

  async #pageBySearch(
    runs: LookedAt[],
    compare: (a: FindingCandidate, b: FindingCandidate) => number,
    start: number,
    end: number,
  ) {
    let best: FindingCandidate[] = []
    let total = 0
    let rows = 0
    for (const run of runs) {
      const own = await this.#matchesOf(run)
      total += own.length
      rows += own.reduce((sum, { count }) => sum + count, 0)
      // Findings after the page in their own run are after it in all runs.
      const first = own.sort(compare).slice(0, end)
      best = mergeSorted(best, first, compare, end)
    }
    return { total, rows, chosen: best.slice(start, end) }
  }

  async group(runs: LookedAt[], by: NonNullable<Findings['group_by']>): Promise<Found> {
    await this.#findEarlier(runs)
    const groups = new Groups()
    const isCounted = by !== 'resource' && by !== 'owner' && this.#isOpenOnly() && this.#query.order !== 'first-seen'
    for (const run of runs) {
      if (isCounted && (await this.#acceptedOf(run)).size === 0) {
        await this.#addCounts(groups, run, by)
        continue
      }
      const { cluster_name, environment } = run.stored.run
      const own = await this.#matchesOf(run, by !== 'severity' && by !== 'cluster')
      const resources = by === 'resource' ? await this.#resourcesOf(run, own) : undefined
      const owners = by === 'owner' ? await this.#ownersOf(run, own) : undefined
      for (const candidate of own) {
        const [key, name] = {
          check: () => [candidate.check, candidate.checkName] as const,
          namespace: () => [candidate.namespace || null, null] as const,
          resource: () => [resources!.get(candidate) ?? null, null] as const,
          severity: () => [candidate.rank === noRank ? null : severityOf(candidate.rank), null] as const,
          owner: () =>
            [
              owners!
                .get(candidate)!
                .map(({ owner }) => owner)
                .join(', ') || null,
              null,
            ] as const,
          cluster: () => [`${cluster_name} (${environment})`, null] as const,
        }[by]()
        groups.add({ key, name }, candidate)
      }
    }
    const all = groups.list(this.#query.order)
    const { page, perPage } = this.#query
    return {
      total: all.length,
      findings: all.reduce((sum, group) => sum + group.findings, 0),
      rows: all.reduce((sum, group) => sum + group.rows, 0),
      items: [],
      groups: all.slice((page - 1) * perPage, page * perPage),
    }
  }

  /** Adds the counts of a run's groups. */
  async #addCounts(groups: Groups, { stored }: LookedAt, by: 'check' | 'namespace' | 'severity' | 'cluster') {
    const { clusterId, distinct, run } = stored
    const ranks = this.#ranks()
    const add = (group: { key: string | null; name: string | null }, of: Pick<RunGroup, 'findings' | 'rows'>) => {
      const worst = ranks.find((rank) => of.findings[rank]! > 0)
      if (worst === undefined) return
      const [findings, rows] = [sumOf(ranks, of.findings), sumOf(ranks, of.rows)]
      groups.addCounts(group, { rank: worst, findings, rows, clusterId })
    }
    if (by === 'check' || by === 'namespace') {
      const found = await this.#groupsOf(stored)
      for (const group of found[by]) add(group, group)
      this.#addUnlisted(found.check, ranks)
      return
    }
    const rowsOfRank = distinct.map((_, rank) => rowsOf(stored, rank))
    if (by === 'cluster') {
      const key = `${run.cluster_name} (${run.environment})`
      add({ key, name: null }, { findings: distinct, rows: rowsOfRank })
      return
    }
    for (const rank of ranks) {
      const only = (each: number[]) => each.map((many, other) => (other === rank ? many : 0))
      add({ key: severityOf(rank), name: null }, { findings: only(distinct), rows: only(rowsOfRank) })
    }
  }

  /** Names without what a rollout changes, so that the pods of a workload are one. */
  async #resourcesOf(run: LookedAt, own: FindingCandidate[]): Promise<Map<FindingCandidate, string>> {
    const result = new Map<FindingCandidate, string>()
    const set = (candidate: FindingCandidate, resource: string | null) => {
      if (resource === null) return
      result.set(candidate, [candidate.namespace, stableResource(resource)].filter(Boolean).join(' '))
    }
    const byOffset = new Map<number, FindingCandidate>()
    for (const candidate of own) {
      const { subject } = candidate
      if (typeof subject === 'number') byOffset.set(subject, candidate)
      else if ('resource' in subject) set(candidate, subject.resource)
    }
    if (byOffset.size === 0) return result
    for await (const [at, { resource }] of textsOf(await this.#open(run), [...byOffset.keys()])) {
      set(byOffset.get(at)!, resource)
    }
    return result
  }

  /** None where no rule says. */
  async #ownersOf(run: LookedAt, own: FindingCandidate[]): Promise<Map<FindingCandidate, OwnerRule[]>> {
    const findings = await this.#open(run)
    const ownership = this.#ownership.in(run.stored.run, findings.owners)
    const offsets = own.flatMap(({ subject }) => (typeof subject === 'number' ? [subject] : []))
    const found = await ownersOfRecords(findings, ownership, offsets)
    return new Map(
      own.map((candidate) => {
        const { subject } = candidate
        if (typeof subject === 'number') return [candidate, found.get(subject)!]
        const rule = 'resource' in subject ? ownership.of(subject.namespace, subject.resource) : undefined
        return [candidate, rule ? [rule] : []]
      }),
    )
  }

  /** Everything in a run that matches the query. */
  async #matchesOf(run: LookedAt, needsNames = true): Promise<FindingCandidate[]> {
    const { stored } = run
    const wantsAccepted = this.#states.has('accepted') && (await this.#acceptedOf(run)).size > 0
    const wantsRecords = wantsAccepted || ['open', 'new', 'regressed'].some((state) => this.#states.has(state as State))
    const isPlain = !needsNames && isOnlySeverities(this.#query) && this.#query.order !== 'first-seen'
    if (isPlain && this.#states.size === 1 && this.#states.has('open')) return this.#matchesByRank(run)
    const wantsSuppressed = this.#states.has('suppressed') && stored.run.suppressed_findings !== 0
    const wantsNotRun = this.#states.has('not-run') && stored.run.not_run_checks !== 0
    if (!wantsRecords && !wantsSuppressed && !wantsNotRun) return []
    if (!wantsAccepted && !wantsSuppressed && !wantsNotRun && (await this.#isUnchanged(run))) return []
    const findings = await this.#open(run)
    const found = [
      ...(wantsRecords ? await this.#recordsOf(run, findings) : []),
      ...(wantsSuppressed ? this.#suppressedOf(run, findings) : []),
      ...(wantsNotRun ? this.#notRunOf(run, findings) : []),
    ]
    const { owner } = this.#query
    if (owner === undefined) return found
    const owners = await this.#ownersOf(run, found)
    return found.filter((candidate) => isOwnedBy(owners.get(candidate)!, owner))
  }

  /** Only changes are asked for, and there is no earlier run: no more of the run need be known than what it does not list. */
  async #isUnchanged(run: LookedAt): Promise<boolean> {
    if (!this.#withEarlier || this.#withEarlier.has(run.stored.id)) return false
    await this.#addUnlistedOf(run, this.#ranks())
    this.#withoutEarlierRun = (this.#withoutEarlierRun ?? 0) + 1
    this.#incomparable ??= 0
    return true
  }

  async #addUnlistedOf(run: LookedAt, ranks: number[]): Promise<void> {
    const group = this.#checkGroup
    if (!group) {
      const own = (await this.#countsOf(run)).filter(({ rank }) => ranks.includes(rank))
      this.#unlistedRows = own.reduce((sum, { unlistedRows }) => sum + unlistedRows, this.#unlistedRows ?? 0)
    } else {
      const { check } = await this.#groupsOf(run.stored)
      this.#addUnlisted(
        check.filter(({ key }) => group.has(key)),
        ranks,
      )
    }
  }

  /** Two queries for all runs, where only changes are asked for. */
  async #findEarlier(runs: LookedAt[]): Promise<void> {
    const wantsChanges = this.#states.has('new') || this.#states.has('regressed')
    if (!wantsChanges || this.#states.has('open')) return
    const ids = runs.map(({ stored }) => stored.id)
    this.#changes = await findRunChanges(this.#db, ids)
    const others = ids.filter((id) => !this.#changes.has(id))
    this.#withEarlier = (await listRunsWithEarlier(this.#db, others)).union(new Set(this.#changes.keys()))
  }

  /** Names of checks and namespaces stay sealed. */
  async #matchesByRank(run: LookedAt): Promise<FindingCandidate[]> {
    const records = await getFindingRecords(this.#db, run.stored.id)
    const ranks = new Set(this.#ranks())
    const accepted = await this.#acceptedOf(run)
    const nameless = { run, check: '', checkName: '', namespace: '', firstSeen: 0 }
    return offsetsOf(records).flatMap((at) => {
      const rank = rankAt(records, at)
      return ranks.has(rank) && !accepted.has(keyAt(records, at))
        ? [{ ...nameless, subject: at, rank, count: countAt(records, at), place: 0 }]
        : []
    })
  }

  async #recordsOf(run: LookedAt, findings: RunFindings): Promise<FindingCandidate[]> {
    const { offsets, unlistedRows } = await selectRecords(findings, this.#query)
    this.#unlistedRows = (this.#unlistedRows ?? 0) + unlistedRows
    const { records } = findings.index
    const kept = await this.#keptOf(run, findings, offsets)
    const firsts =
      this.#query.order === 'first-seen'
        ? await listFirstSeen(this.#db, run.stored.clusterId, fingerprintsAt(records, kept))
        : undefined
    return kept.map((at, i) => ({
      ...candidateOf(run, findings.index, at),
      firstSeen: firsts?.get(i) ?? Number.POSITIVE_INFINITY,
    }))
  }

  async #keptOf(run: LookedAt, findings: RunFindings, offsets: number[]): Promise<number[]> {
    const accepted = await this.#acceptedOf(run)
    const isAccepted = (at: number) => accepted.has(keyAt(records, at))
    const { records } = findings.index
    const own = this.#states.has('accepted') ? offsets.filter(isAccepted) : []
    if (this.#states.has('open')) return [...own, ...offsets.filter((at) => !isAccepted(at))]
    const wantsChanges = this.#states.has('new') || this.#states.has('regressed')
    return wantsChanges ? [...own, ...(await this.#changedOnly(run, findings, offsets))] : own
  }

  async #changedOnly(run: LookedAt, findings: RunFindings, offsets: number[]): Promise<number[]> {
    this.#withoutEarlierRun ??= 0
    this.#incomparable ??= 0
    const changes = await this.#changesOf(run, findings)
    if (!changes) this.#withoutEarlierRun++
    this.#incomparable += changes?.incomparable ?? 0
    return this.#inStates(changes, { index: findings.index, accepted: await this.#acceptedOf(run) }, offsets)
  }

  #inStates(
    changes: Changes | undefined,
    { index: { records }, accepted }: { index: Pick<RunFindings['index'], 'records'>; accepted: AcceptedFindings },
    offsets: number[],
  ) {
    return offsets.filter((at) => {
      const key = keyAt(records, at)
      const state = changes?.states.get(key)
      return state !== undefined && this.#states.has(state) && !accepted.has(key)
    })
  }

  /** Accepted findings that match, as many as would otherwise be listed or are. */
  async countAccepted(runs: LookedAt[]): Promise<number> {
    let count = 0
    const wantsAll = this.#states.has('open') || this.#states.has('accepted')
    for (const run of runs) {
      const own = await this.#matchingAccepted(run)
      if (wantsAll || own.length === 0) {
        count += wantsAll ? own.length : 0
        continue
      }
      const findings = await this.#open(run)
      const changes = await this.#changesOf(run, findings)
      count += own.filter(({ at }) => {
        const state = changes?.states.get(keyAt(findings.index.records, at))
        return state !== undefined && this.#states.has(state)
      }).length
    }
    return count
  }

  async #matchingAccepted(run: LookedAt) {
    const accepted = [...(await this.#acceptedOf(run)).values()]
    const own = accepted.filter(({ subject }) => matchesFilter(this.#query, subject))
    const { owner } = this.#query
    if (owner === undefined || own.length === 0) return own
    const findings = await this.#open(run)
    const ownership = this.#ownership.in(run.stored.run, findings.owners)
    const owners = await ownersOfRecords(findings, ownership, [...own.map(({ at }) => at)])
    return own.filter(({ at }) => isOwnedBy(owners.get(at)!, owner))
  }

  #acceptedOf(run: LookedAt): Promise<AcceptedFindings> {
    const { stored, position } = run
    const known = this.#accepted.get(position)
    if (known) return known
    const acceptance = this.#accepting.in(stored.run)
    const source = { db: this.#db, vault: this.#vault, ownerId: this.#query.ownerId, open: () => this.#open(run) }
    const found = acceptance
      ? acceptedIn({ id: stored.id, runId: stored.run.run_id }, acceptance, source)
      : noneAccepted
    this.#accepted.set(position, found)
    return found
  }

  /** Against the previous run of the same scanner; undefined when there is none. */
  async #changesOf(run: LookedAt, findings: RunFindings): Promise<Changes | undefined> {
    const known = this.#changes.get(run.stored.id)
    if (known) return { states: storedStates(known), incomparable: known.incomparable }
    const before = await findRunBefore(this.#db, run.stored)
    if (!before) return undefined
    const from = await openBefore(this.#db, this.#vault, before)
    const difference = await compareRuns(from, findings, (fingerprints) =>
      findKnownFingerprints(this.#db, run.stored, this.#vault.hideFingerprints(fingerprints)),
    )
    return { states: statesOf(this.#vault, difference), incomparable: difference.incomparableCount }
  }

  #suppressedOf(run: LookedAt, { index }: RunFindings): FindingCandidate[] {
    return index.suppressed.flatMap((row, place) => {
      const { id, name } = index.checks[row.check]!
      const subject: FilterSubject = { ...row, checkId: id, checkName: name }
      if (!matchesFilter(this.#query, subject)) return []
      const { rank, namespace, count } = row
      return [
        { ...unseen, run, subject: row, rank, check: id, checkName: name, namespace: namespace ?? '', count, place },
      ]
    })
  }

  #notRunOf(run: LookedAt, { checksNotRun }: RunFindings): FindingCandidate[] {
    return checksNotRun.flatMap((check, place) => {
      const subject = { rank: null, checkId: check.id, checkName: check.name, namespace: null, resource: null }
      // Which severity or namespace its findings would have is not known, so no filter on these excludes it.
      const filter = { ...this.#query, severities: undefined, namespace: undefined, resource: undefined }
      if (!matchesFilter(filter, { ...subject, message: check.reason, value: null })) return []
      return [
        {
          ...unseen,
          run,
          subject: check,
          rank: noRank,
          check: check.id,
          checkName: check.name,
          namespace: '',
          count: 0,
          place,
        },
      ]
    })
  }

  async #itemsOf(chosen: FindingCandidate[]): Promise<FindingListItem[]> {
    const items = new Map<FindingCandidate, FindingListItem>()
    const byRun = Map.groupBy(chosen, ({ run }) => run)
    const ids = [...byRun.keys()].map(({ stored }) => stored.id)
    // They may be known of all runs.
    if (!this.#withEarlier) this.#changes = await findRunChanges(this.#db, ids)
    for (const [run, own] of byRun) {
      const findings = await this.#open(run)
      const { stored } = run
      const common = {
        cluster_name: stored.run.cluster_name,
        environment: stored.run.environment,
        run_id: stored.run.run_id,
        format: stored.run.format,
        seen_at: formatTimestamp(stored.at),
      }
      const listed = own.filter(({ subject }) => typeof subject === 'number')
      const offsets = listed.map(({ subject }) => subject as number)
      const texts = await readFindings(findings, offsets)
      const changes = listed.length > 0 ? await this.#changesOf(run, findings) : undefined
      const accepted = await this.#acceptedOf(run)
      const owners = await this.#ownersOf(run, own)
      const ownersOf = (candidate: FindingCandidate) => ({ owners: owners.get(candidate)!.map(({ owner }) => owner) })
      const { records } = findings.index
      const firsts = await listFirstSeen(this.#db, stored.clusterId, fingerprintsAt(records, offsets))
      listed.forEach((candidate, i) => {
        const first = firsts.get(i)
        const key = keyAt(records, offsets[i]!)
        const by = accepted.get(key)?.by
        items.set(candidate, {
          ...texts[i]!,
          ...common,
          ...ownersOf(candidate),
          ...(by && { accepted: by }),
          state: by ? 'accepted' : (changes?.states.get(key) ?? 'open'),
          first_seen_at: first === undefined ? null : formatTimestamp(first),
          reason: null,
          suppressed_until: null,
        })
      })
      for (const candidate of own) {
        const { subject } = candidate
        if (typeof subject !== 'number')
          items.set(candidate, { ...describe(subject, findings), ...common, ...ownersOf(candidate) })
      }
    }
    const found = chosen.map((candidate) => items.get(candidate)!)
    await markExploited(this.#db, found)
    return found
  }

  /** The runs of a page are opened to choose its findings, and for their texts. */
  async #open({ stored }: LookedAt): Promise<RunFindings> {
    const key = stored.run.run_id
    const findings = this.#opened.get(key) ?? (await openFindings(this.#db, this.#vault, stored))
    this.#opened.set(key, findings, findings.index.records.length)
    return findings
  }
}

const unseen = { firstSeen: Number.POSITIVE_INFINITY }

type RunFields = 'cluster_name' | 'environment' | 'run_id' | 'format' | 'seen_at'

function describe(subject: SuppressedRow | NotRunCheck, { index }: RunFindings): Omit<FindingListItem, RunFields> {
  if (!('fingerprint' in subject)) {
    const { id, name, reason } = subject
    return {
      ...{ fingerprint: null, check_id: id, check_name: name, category: '', severity: null, namespace: null },
      ...{ resource: null, message: reason, value: null, state: 'not-run' },
      ...{ first_seen_at: null, reason, suppressed_until: null },
    }
  }
  const { fingerprint, check, rank, namespace, resource, message, value, count, reason, until } = subject
  const { id, name, category } = index.checks[check]!
  return {
    ...{ fingerprint, check_id: id, check_name: name, category, severity: severityOf(rank), namespace },
    ...{ resource, message, value, count, state: 'suppressed' },
    ...{ first_seen_at: null, reason, suppressed_until: until },
  }
}

/** Against the previous run. */
interface Changes {
  /** By the stored fingerprint. */
  states: Map<string, ChangeState>
  incomparable: number
}

/** By rank of the severity. */
interface RankCounts {
  findings: number[]
  rows: number[]
}

const allRanks = [0, 1, 2, 3, 4]

const noneAccepted: Promise<AcceptedFindings> = Promise.resolve(new Map())

function without(accepted: { rank: number; count: number }[], { findings, rows }: RankCounts): RankCounts {
  if (accepted.length === 0) return { findings, rows }
  const sum = (rank: number, of: (each: { count: number }) => number) =>
    accepted.reduce((total, each) => total + (each.rank === rank ? of(each) : 0), 0)
  return {
    findings: findings.map((many, rank) => many - sum(rank, () => 1)),
    rows: rows.map((many, rank) => many - sum(rank, ({ count }) => count)),
  }
}

const sumOf = (ranks: number[], counts: number[]): number => ranks.reduce((sum, rank) => sum + counts[rank]!, 0)

const offsetsOf = (records: Buffer): number[] =>
  Array.from({ length: records.length / recordLength }, (_, i) => i * recordLength)

function rowsOf({ run }: LatestRun, rank: number): number {
  return run.findings[severityOf(rank)]
}
