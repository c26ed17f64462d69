import type { SourceRequest } from './http/question.ts'
import type { Http } from './http.ts'
import { shortHash } from './short-hash.ts'
import type { SourceState } from './source-state.ts'

/** Media types of files in a repository, and their size. */
export const ofFile = {
  types: ['text/plain', 'application/yaml', 'application/x-yaml', 'text/yaml', 'application/octet-stream'],
  maxBytes: 256 * 1024,
}

/** All facts of one kind, from one URL. */
export type FactListOutcome<T = unknown> =
  /** `asOf`: the day in the list; null: the day of the answer. */
  | { kind: 'changed'; facts: T[]; asOf: string | null; state: SourceState }
  | { kind: 'unchanged'; state: SourceState }
  | { kind: 'unreachable'; reason: string }

/**
 * Fetches the list at a URL. `read` returns undefined for an answer that is something else than `what`. The cursor is the
 * hash of `hashed`, or of the facts.
 */
export async function fetchList<T>(
  http: Http,
  {
    what,
    read,
    ...request
  }: SourceRequest & {
    state: SourceState
    what: string
    read: (body: Buffer) => { facts: T[]; hashed?: unknown; asOf?: string } | undefined
  },
): Promise<FactListOutcome<T>> {
  const { url, state } = request
  const answer = await http.ask(request)
  if (answer.kind === 'unchanged') return { kind: 'unchanged', state }
  if (answer.kind !== 'ok')
    return { kind: 'unreachable', reason: 'reason' in answer ? answer.reason : 'it asks to wait' }
  const list = read(answer.body)
  if (!list) return { kind: 'unreachable', reason: `${new URL(url).host} answered with something else than ${what}` }
  const { facts, hashed = facts, asOf = null } = list
  const next = { ...answer.state, cursor: shortHash(hashed) }
  return next.cursor === state.cursor
    ? { kind: 'unchanged', state: next }
    : { kind: 'changed', facts, asOf, state: next }
}
