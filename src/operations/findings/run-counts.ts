import { countAt, isUnlistedAt, rankAt, recordLength } from '../../reports/finding-records.ts'
import { RecentValues } from '../../util/recent-values.ts'

/** Findings of a run that have the same severity and the same count of rows. */
export interface EqualFindings {
  rank: number
  /** Rows of each. */
  count: number
  findings: number
  /** Of all of them: rows that the report counts without listing them. */
  unlistedRows: number
}

/** A run does not change, so its findings are counted once as long as the counts are in memory. */
const counted = new RecentValues<EqualFindings[]>(200_000)

/** Findings of a run by count and severity; `read` is called when they are not known yet. */
export async function toCounts(runId: string, read: () => Promise<Buffer>): Promise<EqualFindings[]> {
  const known = counted.get(runId)
  if (known) return known
  const found = countRecords(await read())
  counted.set(runId, found, 1 + found.length)
  return found
}

function countRecords(records: Buffer): EqualFindings[] {
  const found = new Map<number, EqualFindings>()
  for (let at = 0; at < records.length; at += recordLength) {
    const [rank, count] = [rankAt(records, at), countAt(records, at)]
    const key = count * 8 + rank
    const equal = found.get(key) ?? { rank, count, findings: 0, unlistedRows: 0 }
    found.set(key, equal)
    equal.findings++
    if (isUnlistedAt(records, at)) equal.unlistedRows += count
  }
  return [...found.values()]
}
