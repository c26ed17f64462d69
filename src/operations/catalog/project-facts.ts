import { isDeepStrictEqual } from 'node:util'
import type { ProjectFact } from '../../contract/state-facts.ts'
import type { Db } from '../../db/open.ts'
import { findStateFacts, type StateFactSource, saveStateFacts } from '../../store/facts/state-fact.ts'

interface FoundFacts {
  source: StateFactSource
  found: ProjectFact[]
  /** Whether a known fact stays beside the found ones. */
  isKept: (fact: ProjectFact) => boolean
  /** Unix seconds. */
  now: number
  /** An answer without changes is only saved if the last one was saved before this time. */
  savedSince: number
}

/** Call inside a transaction: replaces some of a source's facts about projects. */
export async function saveProjectFacts(trx: Db, { source, found, isKept, now, savedSince }: FoundFacts) {
  const known = await findStateFacts(trx, source, 'project')
  const before = (known?.facts ?? []) as ProjectFact[]
  const facts = [...before.filter(isKept), ...found].sort((a, b) => (toKey(a) < toKey(b) ? -1 : 1))
  const isSame = isDeepStrictEqual(facts, before)
  const isSaved = !isSame || (known?.answeredAt ?? 0) < savedSince
  if (isSaved) await saveStateFacts(trx, { source, kind: 'project', facts, asOf: null, answeredAt: now, state: {} })
  return { facts, isSame, isSaved }
}

const toKey = ({ slug, chart }: ProjectFact) => `${slug} ${chart ?? ''}`
