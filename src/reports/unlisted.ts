import { remember } from '../util/remember.ts'
import type { FindingIndex } from './finding-index.ts'
import { checkAt, countAt, isRestAt, isUnlistedAt, recordLength } from './finding-records.ts'
import type { MovedRows, Walk } from './walk-records.ts'

type Index = Pick<FindingIndex, 'records' | 'checks'>

interface UnlistedRows {
  came: MovedRows[]
  gone: MovedRows[]
  /** Check → number of its rows that the later report counts but does not list. */
  hiding: Map<string, number>
}

/**
 * Compares findings that a report counts but does not list, by the totals of their check: an increase beyond the listed rows
 * is new. A decrease is resolved if the check passes or lists nothing; else the listing alone may differ. `isNarrower`: the
 * later scan excluded namespaces that the earlier one covered.
 */
export function compareUnlisted(
  from: Index,
  to: Index,
  walked: Pick<Walk, 'came' | 'gone'>,
  isNarrower: boolean,
): UnlistedRows {
  const result: UnlistedRows = { came: [], gone: [], hiding: new Map() }
  if (!hasUnlisted(from.records) && !hasUnlisted(to.records)) return result
  const [before, after] = [totalsOf(from), totalsOf(to)]
  const listed = { came: toRows(to, walked.came), gone: toRows(from, walked.gone) }
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(id) ?? none, after.get(id) ?? none]
    if (was.at === undefined && is.at === undefined) continue
    const [came, gone] = [listed.came.get(id) ?? 0, listed.gone.get(id) ?? 0]
    const hidden = Math.min(gone, is.rows)
    if (hidden > 0) result.hiding.set(id, hidden)
    const rest = is.total - was.total - came + (gone - hidden)
    if (rest > 0 && is.at !== undefined) result.came.push({ at: is.at, rows: rest, isInBoth: was.total > 0 })
    const isGone = is.total === 0 || (was.total === was.rows && is.total === is.rows)
    // Unlisted rows have no known namespace. The listed rows show that the scope differs.
    if (rest < 0 && isGone && was.at !== undefined && !(isRestAt(from.records, was.at) && isNarrower)) {
      result.gone.push({ at: was.at, rows: Math.min(-rest, was.rows), isInBoth: is.total > 0 })
    }
  }
  return result
}

interface Totals {
  /** Offset of the record about the check itself; undefined if all rows are listed. */
  at: number | undefined
  /** Number of unlisted rows. */
  rows: number
  /** Number of all rows. */
  total: number
}

const none: Totals = { at: undefined, rows: 0, total: 0 }

function hasUnlisted(records: Buffer): boolean {
  for (let at = 0; at < records.length; at += recordLength) if (isUnlistedAt(records, at)) return true
  return false
}

function totalsOf({ records, checks }: Index): Map<string, Totals> {
  const totals = new Map<string, Totals>()
  for (let at = 0; at < records.length; at += recordLength) {
    const { id } = checks[checkAt(records, at)]!
    const known = remember(totals, id, () => ({ ...none }))
    known.total += countAt(records, at)
    if (!isUnlistedAt(records, at)) continue
    known.at = at
    known.rows = countAt(records, at)
  }
  return totals
}

function toRows({ records, checks }: Index, moved: MovedRows[]): Map<string, number> {
  const rows = new Map<string, number>()
  for (const { at, rows: more } of moved) {
    const { id } = checks[checkAt(records, at)]!
    rows.set(id, (rows.get(id) ?? 0) + more)
  }
  return rows
}
