import type { Db } from '../db/open.ts'
import { listSources, listTrackedProjects } from '../store/source.ts'
import { sourcesOf } from './catalog-source.ts'
import { chooseProjects } from './choose-project.ts'
import { type Job, type LookedAt, lookAtSource, type SyncMeans } from './look-at-source.ts'
import type { LookNotes } from './look-notes.ts'

export interface SyncOptions {
  /** Slugs, names or ids; all when there are none. */
  projects: string[]
  /** Unix seconds: how far back releases are looked for. */
  since?: number | undefined
  /** Looked at at the same time. */
  width: number
  /** Looks, and keeps nothing. */
  isDry: boolean
  onLooked?: ((looked: LookedAt, done: number, total: number) => void) | undefined
}

export interface Synced {
  looked: LookedAt[]
  /** Sources that were to be looked at. */
  total: number
}

/**
 * Looks at every source, those first that were not looked at for longest, so that who was interrupted goes on where it
 * was. What a source brought and what to ask next time are saved together; one that fails stops no other.
 */
export async function syncCatalog(db: Db, means: SyncMeans, options: SyncOptions): Promise<Synced> {
  const jobs = await findJobs(db, means, options.projects)
  const looked: LookedAt[] = []
  const remaining = jobs[Symbol.iterator]()
  async function work(): Promise<void> {
    for (const job of remaining) {
      if (means.signal.aborted) return
      const done = await lookAtSource(db, means, job, options)
      if (!done) return
      looked.push(done)
      options.onLooked?.(done, looked.length, jobs.length)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(options.width, jobs.length) }, work))
  } finally {
    const same = looked.filter(({ outcome }) => outcome === 'unchanged')
    if (!options.isDry) means.notes.note(same, means.context.now())
  }
  return { looked, total: jobs.length }
}

async function findJobs(db: Db, means: SyncMeans, wanted: string[]): Promise<Job[]> {
  const projects = chooseProjects(await listTrackedProjects(db), wanted)
  const kept = new Map((await listSources(db)).map((source) => [`${source.projectId} ${source.kind}`, source]))
  const jobs = projects.flatMap((project) =>
    sourcesOf(project, means).map((source) => {
      const known = kept.get(`${project.id} ${source.kind}`)
      return { project, source, kept: known?.url === source.url ? known : undefined }
    }),
  )
  return jobs.toSorted((a, b) => lookedAt(a, means.notes) - lookedAt(b, means.notes))
}

/** Who was not let in has not looked. */
function lookedAt({ kept, source }: Job, notes: LookNotes): number {
  return kept && kept.outcome !== 'limited' ? Math.max(kept.lookedAt, notes.at(source.slug, source.kind)) : 0
}
