import type { AdvisoryAnswer } from '../collectors/advisory-look-up.ts'
import type { Db } from '../db/open.ts'
import { inTransaction } from '../db/transaction.ts'
import { type Answered, listAdvisoriesToAsk, saveAdvisories } from '../store/advisory.ts'
import { findProjectsNaming } from '../store/release-security.ts'
import { listTrackedProjects } from '../store/source.ts'
import { updateKnownSecurity } from './known-security.ts'

export interface LookingUp {
  lookUp: (id: string) => Promise<AdvisoryAnswer>
  projectIds: number[]
  /** Unix seconds. */
  now: () => number
  signal: AbortSignal
  /** Asked at the same time. */
  width: number
  onAsked?: ((done: number, total: number) => void) | undefined
}

export interface LookedUp {
  asked: number
  found: number
  /** To be asked for again. */
  unanswered: number
}

/** In one sync; the next one goes on. */
const mostAsked = 500
const keptTogether = 50

/**
 * Asks about advisories that collected releases name and of which nothing is known, or nothing new. Answers are kept, a
 * few at a time, with what they say of releases; what cannot be answered now is asked again the next time.
 */
export async function lookUpAdvisories(db: Db, looking: LookingUp): Promise<LookedUp> {
  const { lookUp, projectIds, now, signal, width, onAsked } = looking
  const ids = await listAdvisoriesToAsk(db, { projectIds, now: now(), most: mostAsked })
  const remaining = ids[Symbol.iterator]()
  const answered = new Set<string>()
  const looked: LookedUp = { asked: 0, found: 0, unanswered: 0 }
  let answers: Answered[] = []
  async function keep(): Promise<void> {
    const some = answers
    answers = []
    if (some.length > 0) await keepAnswers(db, some, now())
  }
  async function work(): Promise<void> {
    for (const id of remaining) {
      if (signal.aborted) return
      if (answered.has(id)) continue
      const answer = await ask(lookUp, id, signal)
      looked.asked++
      onAsked?.(looked.asked, ids.length)
      if (answer.kind === 'unknown') {
        looked.unanswered++
        continue
      }
      const advisory = answer.kind === 'found' ? answer.advisory : undefined
      if (advisory) looked.found++
      for (const alias of advisory?.aliases ?? []) answered.add(alias)
      answers.push({ id, advisory })
      if (answers.length >= keptTogether) await keep()
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, ids.length) }, work))
  await keep()
  return looked
}

async function ask(lookUp: LookingUp['lookUp'], id: string, signal: AbortSignal): Promise<AdvisoryAnswer> {
  try {
    return await lookUp(id)
  } catch (error) {
    if (signal.aborted) return { kind: 'unknown' }
    throw error
  }
}

function keepAnswers(db: Db, answers: Answered[], now: number): Promise<void> {
  return inTransaction(db, async (trx) => {
    await saveAdvisories(trx, answers, now)
    const found = answers.filter(({ advisory }) => advisory).map(({ id }) => id)
    const concerned = new Set(await findProjectsNaming(trx, found))
    for (const project of await listTrackedProjects(trx)) {
      if (concerned.has(project.id)) await updateKnownSecurity(trx, project)
    }
  })
}
