import type { CollectOutcome } from '../collector.ts'
import type { HttpAnswer } from '../http/answer.ts'
import type { GithubRepository } from './repository.ts'

/** Outcome of a source for an answer without content. */
export function toFailure(answer: Exclude<HttpAnswer, { kind: 'ok' }>): CollectOutcome {
  switch (answer.kind) {
    case 'denied':
      return { kind: 'unreachable', reason: answer.reason }
    case 'unchanged':
      return { kind: 'unreachable', reason: 'the answer is "not modified", but nothing is known' }
    default:
      return answer
  }
}

export function authorization({ token }: Pick<GithubRepository, 'token'>): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}
