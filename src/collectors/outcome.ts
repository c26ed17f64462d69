import type { CollectOutcome } from './collector.ts'
import type { HttpAnswer } from './http/answer.ts'

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

/** The header for a token, or for a user name with its password. */
export function authorization(secret: string | undefined, username?: string): Record<string, string> {
  if (secret === undefined) return {}
  if (username === undefined) return { authorization: `Bearer ${secret}` }
  return { authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}` }
}
