import type { AdvisoryAnswer } from '../../collectors/advisory-answer.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { type AdvisoryLookup, listAdvisoriesToAsk, saveAdvisories } from '../../store/catalog/advisory.ts'
import { findProjectsNaming } from '../../store/catalog/release-security.ts'
import { listTrackedProjects } from '../../store/catalog/source.ts'
import { inParallel } from '../../util/in-parallel.ts'
import { updateKnownSecurity } from './known-security.ts'

export interface AdvisorySyncOptions {
  lookUp: (id: string) => Promise<AdvisoryAnswer>
  projectIds: number[]
  /** Unix seconds. */
  now: () => number
  signal: AbortSignal
  /** How many ids are looked up in parallel. */
  width: number
  onAdvisory?: ((done: number, total: number) => void) | undefined
}

export interface AdvisoryLookUps {
  asked: number
  found: number
  /** Number of ids to be retried by the next sync. */
  unanswered: number
}

/** Maximum ids per sync; the next sync continues. */
const mostAsked = 500
const keptTogether = 50

/**
 * Looks up advisories that collected releases mention and that the store lacks, or has not checked recently. Saves responses
 * in small batches, with their effect on releases. Ids without a response are retried by the next sync.
 */
export async function syncAdvisories(db: Db, options: AdvisorySyncOptions) {
  const { lookUp, projectIds, now, signal, width, onAdvisory } = options
  const ids = await listAdvisoriesToAsk(db, { projectIds, now: now(), most: mostAsked })
  const answered = new Set<string>()
  const counts: AdvisoryLookUps = { asked: 0, found: 0, unanswered: 0 }
  const answers: AdvisoryLookup[] = []
  const keep = () => keepAnswers(db, answers.splice(0), now())
  await inParallel(ids, width, async (id) => {
    if (signal.aborted || answered.has(id)) return
    const answer = await lookUp(id).catch((error: unknown): AdvisoryAnswer => {
      if (signal.aborted) return { kind: 'unknown' }
      throw error
    })
    counts.asked++
    onAdvisory?.(counts.asked, ids.length)
    if (answer.kind === 'unknown') {
      counts.unanswered++
      return
    }
    const advisory = answer.kind === 'found' ? answer.advisory : undefined
    if (advisory) counts.found++
    for (const alias of advisory?.aliases ?? []) answered.add(alias)
    answers.push({ id, advisory })
    if (answers.length >= keptTogether) await keep()
  })
  await keep()
  return counts
}

async function keepAnswers(db: Db, answers: AdvisoryLookup[], now: number) {
  if (answers.length === 0) return
  await write(db, 'catalog', async (trx) => {
    await saveAdvisories(trx, answers, now)
    const found = answers.filter(({ advisory }) => advisory).map(({ id }) => id)
    const concerned = new Set(await findProjectsNaming(trx, found))
    for (const project of await listTrackedProjects(trx)) {
      if (concerned.has(project.id)) await updateKnownSecurity(trx, project)
    }
  })
}
