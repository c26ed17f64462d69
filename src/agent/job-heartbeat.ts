import type { Env } from '../config/env.ts'
import { createMask } from '../scan/mask.ts'
import type { OccurrenceEnd } from '../store/fleet/agent-occurrence.ts'
import { proxiesFor } from '../util/proxies.ts'
import { version } from '../version.ts'
import { within } from './clock.ts'

/** Signals as in Healthchecks: the plain URL means success. */
type Signal = 'start' | 'success' | 'fail'

export interface JobHeartbeatOptions {
  env: Env
  /** The reason never contains the URL, which is secret. */
  onFailure: (job: string, reason: string) => void
  timeoutMs?: number
  /** Pauses before the retries. */
  pausesMs?: readonly number[]
}

interface Ping {
  url: string
  signal: Signal
  text: string
}

const maxTextBytes = 10_000
/** While a receiver does not answer, a job's older signals are dropped. */
const maxWaiting = 4

/** Sends the heartbeats of jobs in the background and in order: a job neither waits for them nor fails with them. */
export class JobHeartbeats {
  readonly #options: Required<JobHeartbeatOptions>
  readonly #waiting = new Map<string, Ping[]>()
  readonly #sending = new Map<string, Promise<void>>()

  constructor(options: JobHeartbeatOptions) {
    this.#options = { timeoutMs: 10_000, pausesMs: [1000, 5000], ...options }
  }

  started(job: string, url: string): void {
    this.#add(job, { url, signal: 'start', text: '' })
  }

  ended(job: string, url: string, { state, detail }: OccurrenceEnd): void {
    const isFailed = state === 'failed'
    const text = isFailed ? lastBytes(createMask(this.#options.env, [])(detail ?? '')) : ''
    this.#add(job, { url, signal: isFailed ? 'fail' : 'success', text })
  }

  /** Waits until all are sent, at most this long. */
  settled(ms: number): Promise<void> {
    return within(ms, Promise.all(this.#sending.values()))
  }

  #add(job: string, ping: Ping): void {
    const waiting = this.#waiting.get(job) ?? []
    this.#waiting.set(job, waiting)
    waiting.push(ping)
    if (waiting.length > maxWaiting) waiting.shift()
    if (!this.#sending.has(job)) this.#sending.set(job, this.#drain(job, waiting))
  }

  async #drain(job: string, waiting: Ping[]): Promise<void> {
    for (let ping = waiting.shift(); ping; ping = waiting.shift()) await this.#send(job, ping)
    this.#sending.delete(job)
    this.#waiting.delete(job)
  }

  async #send(job: string, ping: Ping): Promise<void> {
    const { pausesMs, onFailure } = this.#options
    for (const pause of [...pausesMs, undefined]) {
      const reason = await this.#attempt(ping)
      if (reason === undefined) return
      if (pause === undefined) return onFailure(job, reason)
      await new Promise((resolve) => setTimeout(resolve, pause).unref())
    }
  }

  /** Why the heartbeat was not delivered; undefined if it was. */
  async #attempt({ url: address, signal, text }: Ping): Promise<string | undefined> {
    const { env, timeoutMs } = this.#options
    const url = toAddress(address, signal)
    try {
      const [{ openConnection }, { certificatesFor }] = await Promise.all([
        import('../util/http.ts'),
        import('../config/certificates.ts'),
      ])
      const connection = await openConnection({
        origin: url.origin,
        proxies: proxiesFor(env),
        ca: certificatesFor(env),
        connectTimeoutMs: timeoutMs,
        headersTimeoutMs: timeoutMs,
        bodyTimeoutMs: timeoutMs,
        maxBytes: 100_000,
        maxConnections: 1,
      })
      try {
        const { status } = await connection.exchange({
          method: 'POST',
          url,
          headers: { 'content-type': 'text/plain; charset=utf-8', 'user-agent': `relt/${version}` },
          body: Buffer.from(text),
          signal: AbortSignal.timeout(timeoutMs),
        })
        return status >= 200 && status < 300 ? undefined : `The receiver answered ${status}.`
      } finally {
        await connection.close()
      }
    } catch (error) {
      const { code, name } = error as NodeJS.ErrnoException
      return `The receiver cannot be reached (${code ?? name}).`
    }
  }
}

/** `https://hc.example/id?x=1` → `https://hc.example/id/start?x=1`. */
function toAddress(address: string, signal: Signal): URL {
  const url = new URL(address)
  if (signal !== 'success') url.pathname = `${url.pathname.replace(/\/$/, '')}/${signal}`
  return url
}

/** The end of a text, starting at a whole character. */
function lastBytes(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxTextBytes) return text
  let start = bytes.length - maxTextBytes
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return bytes.subarray(start).toString('utf8')
}
