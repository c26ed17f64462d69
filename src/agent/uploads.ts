import type { Env } from '../config/env.ts'
import { readBounds } from '../spool/bounds.ts'
import type { SendResult } from '../spool/send.ts'
import { Spool } from '../spool/spool.ts'
import type { FlushContext } from '../submit/flush.ts'
import { formatDuration } from '../util/duration.ts'
import type { Logger } from '../util/log.ts'
import { count } from '../util/words.ts'
import type { WaitingUploads } from './agent-metrics.ts'
import type { Clock } from './clock.ts'
import type { AgentConfig } from './config.ts'
import { logOnce } from './log-once.ts'
import { Sender } from './sender.ts'

interface UploadsOptions {
  env: Env
  clock: Clock
  logger: Logger
  /** A client of the server with this URL. */
  connectTo: FlushContext['connect']
  /** Called after each attempted upload. */
  onSent: () => void
}

const sendMs = 5000
/** Time for the current upload to finish after the signal. */
const sendGraceMs = 10_000
/** The longest pause between two attempts to send. */
const sendingSeconds = 900

/** The agent's spool: sends queued uploads, and knows why it cannot. */
export class Uploads {
  readonly spool: Spool
  readonly #options: UploadsOptions
  readonly #sender: Sender
  readonly #startedAt: number
  #spoolProblem: string | undefined

  constructor(options: UploadsOptions) {
    const { env, clock, logger, connectTo } = options
    this.#options = options
    this.#startedAt = clock.now()
    this.spool = new Spool(env, (text) => logger.warn(text))
    this.#sender = new Sender({
      spool: this.spool,
      connect: connectTo,
      now: clock.now,
      random: Math.random,
      onResult: (sent) => this.#sent(sent),
    })
  }

  /** Keys of `agent.yaml` override the environment and the settings. */
  setBounds(spool: AgentConfig['spool']): void {
    this.spool.setBounds({
      ...readBounds(this.#options.env),
      ...(spool?.max_size_mb !== undefined && { bytes: spool.max_size_mb * 1024 * 1024 }),
    })
  }

  /** Sends until the signal. */
  async loop(signal: AbortSignal) {
    const { clock, logger } = this.#options
    const report = logOnce(clock, (reason) => logger.error({ reason }, 'nothing was sent; it is retried'))
    while (!signal.aborted) {
      await this.send(signal).catch(report)
      this.#noteSpool()
      await clock.sleep(sendMs, signal)
    }
  }

  /** After the signal, the current upload may finish within a grace period. Otherwise the next agent sends it. */
  async send(signal: AbortSignal) {
    const abandon = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const onStop = () => {
      timer = setTimeout(() => abandon.abort(), sendGraceMs)
    }
    if (signal.aborted) onStop()
    signal.addEventListener('abort', onStop)
    try {
      await this.#sender.turn({ signal, abandon: abandon.signal })
    } finally {
      signal.removeEventListener('abort', onStop)
      clearTimeout(timer)
    }
  }

  waiting(): WaitingUploads {
    const { waiting, refused } = this.spool.usage()
    return { waiting, refused, oldestAt: waiting === 0 ? undefined : this.spool.list(1)[0]?.created }
  }

  /** Why uploads do not reach their server or the spool. */
  problems(): string[] {
    const problems = this.#spoolProblem === undefined ? [] : [this.#spoolProblem]
    try {
      const { waiting } = this.waiting()
      const since = this.#options.clock.now() - (this.#sender.lastGoodAt ?? this.#startedAt)
      if (waiting > 0 && since > sendingSeconds) {
        problems.push(
          `Sending: ${count(waiting, 'upload')} ${waiting === 1 ? 'waits' : 'wait'}, and no server took one for ${formatDuration(since)}.`,
        )
      }
    } catch (error) {
      problems.push(`Spool: ${(error as Error).message}`)
    }
    return problems
  }

  /** Reports outside of a spool that cannot be written, as on a full disk, make the agent unhealthy. */
  #noteSpool(): void {
    const { logger } = this.#options
    const known = this.#spoolProblem
    if (known === undefined && this.spool.lastFailure === undefined) return
    const problem = this.spool.findProblem()
    if (problem !== undefined && known === undefined) logger.error({ reason: problem }, 'spool not usable')
    if (problem === undefined && known !== undefined) logger.info('spool usable again')
    this.#spoolProblem = problem
    if (problem === undefined) this.spool.lastFailure = undefined
  }

  #sent({ entry, outcome }: SendResult): void {
    const { logger, onSent } = this.#options
    const { id, cluster, server } = entry
    const what = { upload: id, cluster, server: server.url }
    if ('uploaded' in outcome) logger.info({ ...what, run_id: outcome.uploaded.run_id }, 'upload sent')
    else logger.warn({ ...what, reason: outcome.error.message }, 'upload not sent')
    onSent()
  }
}
