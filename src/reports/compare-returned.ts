import { remember } from '../util/remember.ts'
import { placeOfFinding } from './comparability.ts'
import { checkAt, findRecord, fingerprintsAt, placesAt, recordLength } from './finding-records.ts'
import type { Leftover } from './pair-changed.ts'
import { nodeOfKey } from './place-sets.ts'
import { offsetsOf, readFindings } from './read-findings.ts'
import { Reported } from './reported.ts'
import type { RunFindings } from './run-findings.ts'

/** A finding at places that the earlier run has no report about. */
export interface Awaiting {
  /** Receives the rows that are new. */
  left: Leftover
  /** Offset of its record in the later run. */
  at: number
  /** Number of all rows, if the finding has a single place. */
  rows: number
  category: string
  /** Keys of the places. */
  places: string[]
}

/** Keys of places by category of checks. */
type Places = Map<string, Set<string>>

/**
 * Compares places that are reported again with the last run that had a report about them. Returns the findings gone since
 * then, the number of unchanged findings, and the places without any earlier report.
 */
export async function compareReturned(
  from: RunFindings,
  to: RunFindings,
  awaiting: Awaiting[],
): Promise<{ gone: Leftover[]; unchangedCount: number; unknown: Awaiting[] }> {
  const places = placesBack(from, to)
  const gone = new Map<string, Leftover>()
  if (places.size > 0) {
    for await (const run of from.earlier?.() ?? []) {
      const own = takeReported(places, run)
      if (own.size === 0) continue
      for (const each of awaiting) settle(each, { run, to, own })
      for (const left of await findGone(run, to, own)) {
        const known = remember(gone, toKey(left), () => ({ ...left, rows: 0 }))
        known.rows += left.rows
      }
      if (places.size === 0) break
    }
  }
  const unknown = awaiting.filter((each) => each.places.length > 0)
  const unchangedCount = awaiting.filter(({ left, places }) => places.length === 0 && left.rows === 0).length
  return { gone: [...gone.values()].sort((a, b) => (toKey(a) < toKey(b) ? -1 : 1)), unchangedCount, unknown }
}

const toKey = ({ finding }: Leftover): string => finding.fingerprint

/** Places that the later run has a report about, and that ran without a report in the earlier run. */
function placesBack(from: RunFindings, to: RunFindings): Places {
  const places: Places = new Map()
  if (!from.scope.coverage || !to.scope.coverage) return places
  const [before, after] = [new Reported(from.scope.coverage), new Reported(to.scope.coverage)]
  for (const category of after.categories()) {
    const back = [...after.placesFor(category)].filter((key) => before.toState(category, key, after) === 'missing')
    if (back.length > 0) places.set(category, new Set(back))
  }
  return places
}

/** Removes and returns the places that a run has a report about. */
function takeReported(places: Places, run: RunFindings): Places {
  const taken: Places = new Map()
  if (!run.scope.coverage) return taken
  const reported = new Reported(run.scope.coverage)
  for (const [category, keys] of places) {
    const own = keys.intersection(reported.placesFor(category))
    if (own.size > 0) taken.set(category, own)
    for (const key of own) keys.delete(key)
    if (keys.size === 0) places.delete(category)
  }
  return taken
}

const ofCategory = (places: Places, category: string) => places.get(category) ?? places.get('*')

/** Compares with an earlier run: at places where it had the finding, the finding is unchanged; at the others, it is new. */
function settle(each: Awaiting, { run, to, own }: { run: RunFindings; to: RunFindings; own: Places }): void {
  const keys = ofCategory(own, each.category)
  const known = each.places.filter((key) => keys?.has(key))
  if (known.length === 0) return
  const had = placesFor(run, findRecord(run.index.records, fingerprintsAt(to.index.records, [each.at])))
  const isNew = (key: string) => had === undefined || (had !== 'one' && !had.has(key))
  each.places = each.places.filter((key) => !keys?.has(key))
  each.left.rows += rowsAt(each, known.filter(isNew))
}

/** Counts the rows of a finding at some of its places. A finding of a single place may have several rows. */
export function rowsAt({ rows, left }: Awaiting, places: string[]): number {
  return left.finding.workloads === undefined && places.length > 0 ? rows : places.length
}

/** Keys of the places of a finding, or `one` if it has a single place; undefined if the run does not have the finding. */
function placesFor({ index }: RunFindings, at: number | undefined): Set<string> | 'one' | undefined {
  if (at === undefined) return undefined
  const set = placesAt(index.records, at)
  const keys = set === undefined ? [] : (index.places?.sets[set] ?? []).map((place) => index.places!.places[place]!)
  return keys.length === 0 || keys.some((key) => nodeOfKey(key) !== undefined) ? 'one' : new Set(keys)
}

/** Findings of a run at these places that the later run does not have there. */
async function findGone(run: RunFindings, to: RunFindings, own: Places): Promise<Leftover[]> {
  const { records, checks } = run.index
  const candidates: { at: number; rows: number | undefined; isInBoth: boolean }[] = []
  for (let at = 0; at < records.length; at += recordLength) {
    const keys = ofCategory(own, checks[checkAt(records, at)]!.category)
    if (!keys) continue
    const before = placesFor(run, at)!
    if (before !== 'one' && before.isDisjointFrom(keys)) continue
    const after = placesFor(to, findRecord(to.index.records, fingerprintsAt(records, [at])))
    if (before === 'one') {
      if (after === undefined) candidates.push({ at, rows: undefined, isInBoth: false })
      continue
    }
    const gone = before.intersection(keys).difference(after instanceof Set ? after : new Set())
    if (gone.size > 0) candidates.push({ at, rows: gone.size, isInBoth: after !== undefined })
  }
  const findings = await readFindings(run, offsetsOf(candidates))
  const reported = new Reported(run.scope.coverage!)
  return candidates.flatMap(({ rows, isInBoth }, i) => {
    const finding = findings[i]!
    const isThere = rows !== undefined || ofCategory(own, finding.category)!.has(placeOfFinding(finding, reported))
    return isThere ? { finding, rows: rows ?? finding.count ?? 1, isInBoth } : []
  })
}
