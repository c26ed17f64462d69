import type { CollectOutcome } from './collector.ts'
import type { HttpAnswer } from './http/answer.ts'
import type { SourceState } from './source-state.ts'

type Changed = Extract<CollectOutcome, { kind: 'changed' }>

/** Unchanged if the cursor is that of the last sync: a page that was generated again may state the same facts. */
export function compareCursor(found: Partial<Changed> & { state: SourceState }, known: SourceState): CollectOutcome {
  const { state } = found
  return state.cursor === known.cursor ? { kind: 'unchanged', state } : { releases: [], ...found, kind: 'changed' }
}

/** Outcome of a source for an answer without content. */
export function toFailure(answer: Exclude<HttpAnswer, { kind: 'ok' }>): Exclude<CollectOutcome, Changed> {
  return answer.kind === 'denied' ? { kind: 'unreachable', reason: answer.reason } : answer
}

/** The header for a token, or for a user name with its password. */
export function authorization(secret: string | undefined, username?: string): Record<string, string> {
  if (secret === undefined) return {}
  if (username === undefined) return { authorization: `Bearer ${secret}` }
  return { authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}` }
}
