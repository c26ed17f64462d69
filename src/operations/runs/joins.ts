import type { SplitWorkload, WorkloadSplit } from '../../contract/finding.ts'
import type { Db } from '../../db/open.ts'
import { ReltError } from '../../errors.ts'
import { joinRuns } from '../../reports/compare.ts'
import type { Join } from '../../reports/joins.ts'
import type { User } from '../../store/accounts/user.ts'
import { findRunAfter, findRunBefore, listRowsBetween, listRunsOfSeries } from '../../store/runs/list-runs.ts'
import { findPart, getParts, replacePart, type SealedPart } from '../../store/runs/part.ts'
import { insertSplit, listSplits } from '../../store/runs/split.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import { pack } from '../../util/pack.ts'
import { formatTimestamp } from '../../util/time.ts'
import { makerFor } from '../accounts/maker.ts'
import type { Unlock, Vault } from '../keys/vault.ts'
import { openPart } from './context.ts'
import { openFindings } from './open-findings.ts'

/** Joins with the run before and, of a run that came late, with the next one. */
interface StoredJoins {
  before: Join[]
  after: Join[]
}

/**
 * Decides which workloads of a new run had another name in the run before. It is decided once, so that later comparisons
 * agree, and nothing is decided over weeks. Call it with the cluster's runs locked.
 */
export async function decideJoins(trx: Db, vault: Vault, run: StoredRun): Promise<void> {
  const [before, after] = await Promise.all([findRunBefore(trx, run), findRunAfter(trx, run)])
  const joins = {
    before: before ? await joinStored(trx, vault, before, run) : [],
    after: after ? await joinStored(trx, vault, run, after) : [],
  }
  await saveJoins(trx, vault, run, joins)
}

async function saveJoins(trx: Db, vault: Vault, { id, run }: StoredRun, joins: StoredJoins): Promise<void> {
  if (joins.before.length + joins.after.length === 0) return
  await replacePart(trx, id, vault.seal(run.run_id, 'joins', 0, pack(JSON.stringify(joins))))
}

const joinStored = async (db: Db, vault: Vault, from: StoredRun, to: StoredRun): Promise<Join[]> =>
  joinRuns(await openFindings(db, vault, from), await openFindings(db, vault, to))

/** Call it before a run is deleted: what it joined stays joined for comparisons with runs before it. */
export async function passOnJoins(trx: Db, vault: Unlock, run: StoredRun): Promise<void> {
  const part = await findPart(trx, run.id, 'joins')
  const [before, next] = [await findRunBefore(trx, run), await findRunAfter(trx, run)]
  if (!part || !before || !next) return
  const keys = await vault()
  const own = (await openJoins(trx, keys, [{ id: run.id, runId: run.run.run_id }]))[0]!
  const there = await findPart(trx, next.id, 'joins')
  const known: StoredJoins = there ? openPart(keys, next.run.run_id, there) : { before: [], after: [] }
  await saveJoins(trx, keys, next, { ...known, before: [...own.before, ...own.after, ...known.before] })
}

/** The joins between two runs of a series; those of a run that is judged only are not stored. */
export async function joinsBetween(db: Db, vault: Vault, from: StoredRun, to: StoredRun): Promise<Join[]> {
  if (from.seriesId !== to.seriesId || from.id === to.id) return []
  const [first, last] = from.at < to.at || (from.at === to.at && from.id < to.id) ? [from, to] : [to, from]
  const rows = await listRowsBetween(db, first, last)
  const stored = (await openJoins(db, vault, rows)).flatMap(({ id, before, after }) => [
    ...(id === first.id ? [] : before),
    ...(id === last.id ? [] : after),
  ])
  if (!to.run.is_candidate) return stored
  const before = await findRunBefore(db, to)
  return before ? [...stored, ...(await joinStored(db, vault, before, to))] : stored
}

/** The joins of those of these runs that have some, without those that were split. */
async function openJoins(db: Db, vault: Vault, runs: { id: number; runId: string }[]) {
  const ids = runs.map(({ id }) => id)
  const parts = await getParts(db, ids, 'joins')
  const splits = parts.size > 0 ? await listSplits(db, ids) : new Map<number, SealedPart[]>()
  return runs.flatMap(({ id, runId }) => {
    const part = parts.get(id)
    if (!part) return []
    const own = splits.get(id) ?? []
    const split = own.map((each) => toKey(openPart<Join>(vault, runId, each)))
    const isJoined = (join: Join) => !split.includes(toKey(join))
    const { before, after } = openPart<StoredJoins>(vault, runId, part)
    return { id, runId, before: before.filter(isJoined), after: after.filter(isJoined), splits: own }
  })
}

const toKey = ({ namespace, from, to }: Join) => JSON.stringify([namespace, from, to])

/** Only the latest runs of a series are searched for the join. */
const mostRuns = 1000

/**
 * Undoes the latest join of a workload with one that had another name: it is new, and the other one is gone. Throws `not_found` if it
 * was not joined. Call it with the cluster's runs locked.
 */
export async function splitWorkload(
  trx: Db,
  vault: Vault,
  run: StoredRun,
  { namespace = '', workload, by }: Omit<SplitWorkload, 'run_id'> & { by: User },
): Promise<Omit<WorkloadSplit, 'success'>> {
  const runs = await listRunsOfSeries(trx, run.seriesId, mostRuns)
  const ids = runs.map((each) => ({ id: each.id, runId: each.run.run_id }))
  for (const { id, runId, before, after, splits } of await openJoins(trx, vault, ids)) {
    const join = [...after, ...before].find((each) => each.to === workload && each.namespace === namespace)
    if (!join) continue
    const next = Math.max(-1, ...splits.map(({ part }) => part)) + 1
    await insertSplit(trx, id, vault.seal(runId, 'split', next, pack(JSON.stringify(join))), makerFor(by))
    const { at } = runs.find((each) => each.id === id)!
    return { run_id: runId, at: formatTimestamp(at), namespace, from: join.from, to: join.to, findings: join.findings }
  }
  const name = namespace === '' ? workload : `${namespace}/${workload}`
  throw new ReltError('not_found', `${name} was not taken for a renamed workload.`, {
    hint: 'See what was renamed: relt reports compare',
  })
}
