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
  /** Two reports of one scanner, cluster and second that are not the same. */
  conflicts: Pair[]
  here: RunFacts[]
  there: RunFacts[]
  /** The journal has them, and the other end has them no longer. */
  deleted: Record<Side, RunFacts[]>
}

interface MatchOptions {
  journal: Journal
  /** Copy again what was deleted. */
  restore: boolean
  onProgress: (done: number, total: number) => void
}

/** Pairs the runs of two ends: by the journal, else by cluster, time and content. Only possible pairs are downloaded. */
export async function matchRuns(
  ends: Ends,
  listed: Record<Side, ListedRun[]>,
  { journal, restore, onProgress }: MatchOptions,
): Promise<MatchedRuns> {
  const left = {
    here: new Map(listed.here.map((each) => [each.run.run_id, factsOfRecord(each)])),
    there: new Map(listed.there.map((each) => [each.run.run_id, factsOfRecord(each)])),
  }
  const matched: MatchedRuns = { same: [], conflicts: [], here: [], there: [], deleted: { here: [], there: [] } }
  const pair = (to: Pair[], { here, there }: Pair) => {
    to.push({ here, there })
    left.here.delete(here.id)
    left.there.delete(there.id)
  }
  const known = [...journal.pairs]
  for (const ids of known) {
    const [here, there] = [left.here.get(ids.here), left.there.get(ids.there)]
    if (here && there) pair(matched.same, { here, there })
  }
  for (const side of ['here', 'there'] as const) {
    for (const ids of restore ? [] : known) {
      const run = left[side].get(ids[side])
      if (run) matched.deleted[side].push(run)
      left[side].delete(ids[side])
    }
  }
  await learnVague(ends, left, onProgress)
  const byPlace = Map.groupBy(left.there.values(), placeOf)
  let done = 0
  const total = left.here.size
  for (const here of [...left.here.values()]) {
    onProgress(++done, total)
    const candidates = (byPlace.get(placeOf(here)) ?? []).filter(
      (there) => left.there.has(there.id) && isSameEnvironment(here, there),
    )
    if (candidates.length === 0) continue
    await completeFacts(ends.here, here)
    for (const there of candidates) {
      await completeFacts(ends.there, there)
      if (here.content === null || here.content !== there.content || !isSameEnvironment(here, there)) continue
      pair(matched.same, { here, there })
      break
    }
  }
  for (const here of [...left.here.values()]) {
    const other = (byPlace.get(placeOf(here)) ?? []).find(
      (there) => left.there.has(there.id) && isSameEnvironment(here, there) && isSameScanner(here, there),
    )
    // A report that nobody returns cannot be compared.
    if (other && here.content != null && other.content != null) pair(matched.conflicts, { here, there: other })
  }
  matched.here = [...left.here.values()]
  matched.there = [...left.there.values()]
  return matched
}

/** Runs whose records do not say cluster or time are asked for their reports, if the other end has any run to match. */
async function learnVague(
  ends: Ends,
  left: Record<Side, Map<string, RunFacts>>,
  onProgress: MatchOptions['onProgress'],
): Promise<void> {
  if (left.here.size === 0 || left.there.size === 0) return
  for (const side of ['here', 'there'] as const) {
    const vague = [...left[side].values()].filter(isVague)
    for (const [index, facts] of vague.entries()) {
      onProgress(index + 1, vague.length)
      await completeFacts(ends[side], facts)
    }
  }
}

const placeOf = ({ cluster, at }: RunFacts): string => JSON.stringify([cluster, at])

function isSameEnvironment(one: RunFacts, other: RunFacts): boolean {
  return one.environment === null || other.environment === null || one.environment === other.environment
}

function isSameScanner({ listed: { run: one } }: RunFacts, { listed: { run: other } }: RunFacts): boolean {
  return one.format === null || other.format === null || one.format === other.format
}
