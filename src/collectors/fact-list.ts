import type { HttpAnswer } from './http/answer.ts'
import type { SourceState } from './source-state.ts'

/** All facts of one kind, from one URL. */
export type FactListOutcome<T = unknown> =
  /** `asOf`: the day in the list; null: the day of the answer. */
  | { kind: 'changed'; facts: T[]; asOf: string | null; state: SourceState }
  | { kind: 'unchanged'; state: SourceState }
  | { kind: 'unreachable'; reason: string }

export function failedList(answer: Exclude<HttpAnswer, { kind: 'ok' }>, state: SourceState): FactListOutcome<never> {
  if (answer.kind === 'unchanged') return { kind: 'unchanged', state }
  return { kind: 'unreachable', reason: 'reason' in answer ? answer.reason : 'it asks to wait' }
}
