import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../client/client.ts'
import { ReltError } from '../errors.ts'

interface Patience {
  signal: AbortSignal
  /** Called before each pause with its seconds. */
  onWait: (seconds: number) => void
  wait?: (seconds: number, signal: AbortSignal) => Promise<unknown>
}

/** Recommended by the API if the server does not state it. */
const usualSeconds = 60
const longestSeconds = 300
const tries = 10

/** Waits and retries a rate-limited request, which has changed nothing. */
export function patientClient(client: Client, { signal, onWait, wait = pause }: Patience): Client {
  async function patiently<T>(request: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      if (signal.aborted) throw new ReltError('cancelled', 'Cancelled.')
      try {
        return await request()
      } catch (error) {
        const isLimit = error instanceof ReltError && error.code === 'rate_limited'
        if (!isLimit || attempt === tries) throw error
        const seconds = Math.min(Math.max(error.retryAfter ?? usualSeconds, 1), longestSeconds)
        onWait(seconds)
        await wait(seconds, signal)
      }
    }
  }
  return {
    call: (name, input) => patiently(() => client.call(name, input)),
    request: (request) => patiently(() => client.request(request)),
    download: (name, input) => patiently(() => client.download(name, input)),
    close: () => client.close(),
  }
}

async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  await sleep(seconds * 1000, undefined, { signal }).catch(() => {})
}
