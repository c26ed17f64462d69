import type { Db } from '../../db/open.ts'
import { inParallel } from '../../util/in-parallel.ts'
import { listProjectSources, type ProjectSource } from './source.ts'
import { type SourceOutcome, type SyncMeans, syncSource } from './sync-source.ts'
import type { SyncTimes } from './sync-times.ts'

export interface SourceSyncOptions {
  /** Slugs, names or ids; all projects if empty. */
  projects: string[]
  /** Unix seconds: releases before this time are not read. */
  since?: number | undefined
  /** How many sources are synced in parallel. */
  width: number
  /** Dry run: reads the sources and saves nothing. */
  isDry: boolean
  onSource?: ((outcome: SourceOutcome, done: number, total: number) => void) | undefined
}

export interface SyncedSources {
  sources: SourceOutcome[]
  /** Number of sources to sync; an interrupted sync has fewer outcomes. */
  total: number
}

/**
 * Syncs every source, the longest unchecked first, so that an interrupted sync resumes where it stopped. A failing source
 * does not stop the others.
 */
export async function syncCatalog(db: Db, means: SyncMeans, options: SourceSyncOptions): Promise<SyncedSources> {
  const found = await listProjectSources(db, means, options.projects)
  const jobs = found.toSorted((a, b) => checkedAt(a, means.notes) - checkedAt(b, means.notes))
  const sources: SourceOutcome[] = []
  try {
    await inParallel(jobs, options.width, async (job) => {
      const done = means.signal.aborted ? undefined : await syncSource(db, means, job, options)
      if (!done) return
      sources.push(done)
      options.onSource?.(done, sources.length, jobs.length)
    })
  } finally {
    const same = sources.filter(({ outcome }) => outcome === 'unchanged')
    if (!options.isDry) means.notes.note(same, means.context.now())
  }
  return { sources, total: jobs.length }
}

/** A rate-limited attempt does not count as a check. */
function checkedAt({ kept, source }: ProjectSource, notes: SyncTimes) {
  return kept && kept.outcome !== 'limited' ? Math.max(kept.lookedAt, notes.at(source.slug, source.kind)) : 0
}
