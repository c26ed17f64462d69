import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../db/open.ts'
import { newsSince } from '../../reports/news-since.ts'
import { getCatalogRevision } from '../../store/catalog/revision.ts'
import { listOwnersOfOutdated } from '../../store/fleet/summary.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { ensureCatalog } from '../catalog/bundled.ts'
import type { Asking } from '../findings/accepting.ts'
import type { Unlock } from '../keys/vault.ts'
import { refreshClusters } from './refresh.ts'

interface Options {
  vault: Unlock
  now: () => UnixSeconds
  timeZone?: string | undefined
  /** Stops after this many milliseconds without work. */
  idleMs: number
}

const lookMs = 500

/** Computes figures of clusters, and assessments of their runs, as needed. Returns the number of updated clusters. */
export async function makeFigures(db: Db, { now, idleMs, ...options }: Options) {
  await ensureCatalog(db, now())
  let all = 0
  for (let busyAt = performance.now(); performance.now() - busyAt <= idleMs; ) {
    const made = await makeSome(db, { ...options, now: now() })
    all += made
    if (made > 0) busyAt = performance.now()
    else await sleep(lookMs)
  }
  return all
}

/** Alternates between owners, in small batches: saving waits for uploads of the same owner. */
async function makeSome(db: Db, options: Omit<Asking, 'ownerId'>) {
  const revision = await getCatalogRevision(db)
  if (revision === undefined) return 0
  let made = 0
  for (const ownerId of await listOwnersOfOutdated(db, {
    revision,
    since: newsSince(options.now, options.timeZone),
    now: options.now,
  })) {
    made += await refreshClusters(db, { ...options, ownerId, withAssessments: true })
  }
  return made
}
