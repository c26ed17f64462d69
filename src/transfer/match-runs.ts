import type { Ends, Side } from './end.ts'
import type { Journal } from './journal.ts'
import type { ListedRun } from './list-runs.ts'
import { completeFacts, factsOfRecord, isVague, type RunFacts } from './run-facts.ts'

interface Pair {
  here: RunFacts
  there: RunFacts
}

export interface MatchedRuns {
  same: Pair[]
  /** Different reports with equal scanner, cluster and second. */
  conflicts: Pair[]
  here: RunFacts[]
  there: RunFacts[]
  /** Runs in the journal that were deleted at the other end. */
  deleted: Record<Side, RunFacts[]>
}

interface MatchOptions {
  journal: Journal
  /** Copy deleted runs again. */
  restore: boolean
  onProgress: (done: number, total: number) => void
}

/** Pairs the runs of two ends: by the journal, else by cluster, time and content. Downloads only possible pairs. */
export async function matchRuns(
  ends: Ends,
  listed: Record<Side, ListedRun[]>,
  { journal, restore, onProgress }: MatchOptions,
): Promise<MatchedRuns> {
  const left: Left = {
    here: new Map(listed.here.map((each) => [each.run.run_id, factsOfRecord(each)])),
    there: new Map(listed.there.map((each) => [each.run.run_id, factsOfRecord(each)])),
  }
  const known = matchByJournal(left, [...journal.pairs], restore)
  await learnVague(ends, left, onProgress)
  const byPlace = Map.groupBy(left.there.values(), placeFor)
  const candidates = (here: RunFacts) =>
    (byPlace.get(placeFor(here)) ?? []).filter((there) => left.there.has(there.id) && isSameEnvironment(here, there))
  const byContent = await matchByContent(ends, left, { candidates, onProgress })
  const conflicts = takeConflicts(left, candidates)
  return {
    same: [...known.same, ...byContent],
    conflicts,
    here: [...left.here.values()],
    there: [...left.there.values()],
    deleted: known.deleted,
  }
}

/** Runs of both ends without a pair. */
type Left = Record<Side, Map<string, RunFacts>>

function take(left: Left, { here, there }: Pair): Pair {
  left.here.delete(here.id)
  left.there.delete(there.id)
  return { here, there }
}

function matchByJournal(left: Left, known: { here: string; there: string }[], restore: boolean) {
  const same = known.flatMap((ids) => {
    const [here, there] = [left.here.get(ids.here), left.there.get(ids.there)]
    return here && there ? [take(left, { here, there })] : []
  })
  const deleted: MatchedRuns['deleted'] = { here: [], there: [] }
  for (const side of ['here', 'there'] as const) {
    for (const ids of restore ? [] : known) {
      const run = left[side].get(ids[side])
      if (run) deleted[side].push(run)
      left[side].delete(ids[side])
    }
  }
  return { same, deleted }
}

type Candidates = (here: RunFacts) => RunFacts[]

async function matchByContent(
  ends: Ends,
  left: Left,
  { candidates, onProgress }: { candidates: Candidates } & Pick<MatchOptions, 'onProgress'>,
): Promise<Pair[]> {
  const same: Pair[] = []
  const total = left.here.size
  for (const [done, here] of [...left.here.values()].entries()) {
    onProgress(done + 1, total)
    const possible = candidates(here)
    if (possible.length === 0) continue
    await completeFacts(ends.here, here)
    for (const there of possible) {
      await completeFacts(ends.there, there)
      if (here.content === null || here.content !== there.content || !isSameEnvironment(here, there)) continue
      same.push(take(left, { here, there }))
      break
    }
  }
  return same
}

function takeConflicts(left: Left, candidates: Candidates): Pair[] {
  return [...left.here.values()].flatMap((here) => {
    const there = candidates(here).find((each) => isSameScanner(here, each))
    // A report that the server does not return cannot be compared.
    return there && here.content != null && there.content != null ? [take(left, { here, there })] : []
  })
}

/** If a run's record lacks cluster or time, downloads its report, unless the other end has no run to match. */
async function learnVague(ends: Ends, left: Left, onProgress: MatchOptions['onProgress']): Promise<void> {
  if (left.here.size === 0 || left.there.size === 0) return
  for (const side of ['here', 'there'] as const) {
    const vague = [...left[side].values()].filter(isVague)
    for (const [index, facts] of vague.entries()) {
      onProgress(index + 1, vague.length)
      await completeFacts(ends[side], facts)
    }
  }
}

const placeFor = ({ cluster, at }: RunFacts): string => JSON.stringify([cluster, at])

function isSameEnvironment(one: RunFacts, other: RunFacts): boolean {
  return one.environment === null || other.environment === null || one.environment === other.environment
}

function isSameScanner({ listed: { run: one } }: RunFacts, { listed: { run: other } }: RunFacts): boolean {
  return one.format === null || other.format === null || one.format === other.format
}
