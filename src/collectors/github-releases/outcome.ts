import type { Outcome } from '../collector.ts'
import type { Answer } from '../http/answer.ts'
import type { Repository } from './repository.ts'

/** What an answer that brought nothing means for the source. */
export function failureOf(answer: Exclude<Answer, { kind: 'ok' }>): Outcome {
  switch (answer.kind) {
    case 'denied':
      return { kind: 'unreachable', reason: answer.reason }
    case 'unchanged':
      return { kind: 'unreachable', reason: 'the answer is "not modified", but nothing is known' }
    default:
      return answer
  }
}

export function authorization({ token }: Pick<Repository, 'token'>): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}
