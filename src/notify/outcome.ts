import type { Outcome, PostResult } from './delivery.ts'

const maxRetryAfterSeconds = 3600

/** The default meaning of a response; channels add what is specific to their service. */
export function outcomeFor(result: PostResult): Outcome {
  if (result.status === null) {
    const { reason, canRetry } = result
    return canRetry
      ? { result: 'retry', reason, httpStatus: null, retryAfterSeconds: null }
      : { result: 'refused', reason, httpStatus: null }
  }
  const { status, retryAfterSeconds } = result
  if (status >= 200 && status < 300) return { result: 'delivered', httpStatus: status }
  if (status >= 500 || [408, 425, 429].includes(status)) {
    const wait = retryAfterSeconds === null ? null : Math.min(retryAfterSeconds, maxRetryAfterSeconds)
    return { result: 'retry', reason: reasonFor(status), httpStatus: status, retryAfterSeconds: wait }
  }
  if (status === 410) return { result: 'gone', reason: 'the webhook is gone', httpStatus: status }
  return { result: 'refused', reason: reasonFor(status), httpStatus: status }
}

function reasonFor(status: number): string {
  if (status === 429) return 'rate limited'
  if (status === 408) return 'the receiver timed out'
  if (status >= 500) return 'the receiver failed'
  if (status >= 300 && status < 400) return 'the receiver redirects'
  if (status === 401 || status === 403) return 'access denied'
  if (status === 404) return 'not found'
  return 'not accepted'
}

/** The known word that the response contains, which is safe to show. */
export function wordIn<W extends string>(result: PostResult, words: readonly W[]): W | undefined {
  if (result.status === null) return undefined
  const { body } = result
  return words.find((word) => body.includes(word))
}

export const gone = (reason: string, { status }: PostResult): Outcome => ({
  result: 'gone',
  reason,
  httpStatus: status,
})
