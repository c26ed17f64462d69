import type { Db } from '../../db/open.ts'
import { joinRuns } from '../../reports/compare.ts'
import type { Join } from '../../reports/joins.ts'
import { findRunAfter, findRunBefore, listRowsBetween } from '../../store/runs/list-runs.ts'
import { findPart, getParts, replacePart } from '../../store/runs/part.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import { pack } from '../../util/pack.ts'
import type { Vault } from '../keys/vault.ts'
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
export async function passOnJoins(trx: Db, vault: () => Promise<Vault>, run: StoredRun): Promise<void> {
  const part = await findPart(trx, run.id, 'joins')
  const [before, next] = [await findRunBefore(trx, run), await findRunAfter(trx, run)]
  if (!part || !before || !next) return
  const keys = await vault()
  const own = openPart<StoredJoins>(keys, run.run.run_id, part)
  const there = await findPart(trx, next.id, 'joins')
  const known: StoredJoins = there ? openPart(keys, next.run.run_id, there) : { before: [], after: [] }
  await saveJoins(trx, keys, next, { ...known, before: [...own.before, ...own.after, ...known.before] })
}

/** The joins between two runs of a series; those of a run that is judged only are not stored. */
export async function joinsBetween(db: Db, vault: Vault, from: StoredRun, to: StoredRun): Promise<Join[]> {
  if (from.seriesId !== to.seriesId || from.id === to.id) return []
  const [first, last] = from.at < to.at || (from.at === to.at && from.id < to.id) ? [from, to] : [to, from]
  const rows = await listRowsBetween(db, first, last)
  const parts = await getParts(
    db,
    rows.map(({ id }) => id),
    'joins',
  )
  const stored = rows.flatMap(({ id, runId }) => {
    const part = parts.get(id)
    if (!part) return []
    const { before, after } = openPart<StoredJoins>(vault, runId, part)
    return [...(id === first.id ? [] : before), ...(id === last.id ? [] : after)]
  })
  if (!to.run.is_candidate) return stored
  const before = await findRunBefore(db, to)
  return before ? [...stored, ...(await joinStored(db, vault, before, to))] : stored
}
