import type { Env } from '../config/env.ts'
import { readBounds } from '../spool/bounds.ts'
import type { SendResult } from '../spool/send.ts'
import { Spool } from '../spool/spool.ts'
import type { FlushContext } from '../submit/flush.ts'
import { formatDuration } from '../util/duration.ts'
import type { Logger } from '../util/log.ts'
import { count } from '../util/words.ts'
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
export function openUploads({ env, clock, logger, connectTo, onSent }: UploadsOptions) {
  const startedAt = clock.now()
  const spool = new Spool(env, (text) => logger.warn(text))
  const sender = new Sender({ spool, connect: connectTo, now: clock.now, random: Math.random, onResult: noteSent })
  let spoolProblem: string | undefined
  return { spool, setBounds, loop, send, waiting, problems }

  /** Keys of `agent.yaml` override the environment and the settings. */
  function setBounds(wanted: AgentConfig['spool']) {
    spool.setBounds({
      ...readBounds(env),
      ...(wanted?.max_size_mb !== undefined && { bytes: wanted.max_size_mb * 1024 * 1024 }),
    })
  }

  /** Sends until the signal. */
  async function loop(signal: AbortSignal) {
    const report = logOnce(clock, (reason) => logger.error({ reason }, 'nothing was sent; it is retried'))
    while (!signal.aborted) {
      await send(signal).catch(report)
      noteSpool()
      await clock.sleep(sendMs, signal)
    }
  }

  /** After the signal, the current upload may finish within a grace period. Otherwise the next agent sends it. */
  async function send(signal: AbortSignal) {
    const abandon = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const onStop = () => {
      timer = setTimeout(() => abandon.abort(), sendGraceMs)
    }
    if (signal.aborted) onStop()
    signal.addEventListener('abort', onStop)
    try {
      await sender.turn({ signal, abandon: abandon.signal })
    } finally {
      signal.removeEventListener('abort', onStop)
      clearTimeout(timer)
    }
  }

  function waiting() {
    const { waiting, refused } = spool.usage()
    return { waiting, refused, oldestAt: waiting === 0 ? undefined : spool.list(1)[0]?.created }
  }

  /** Why uploads do not reach their server or the spool. */
  function problems() {
    const found = spoolProblem === undefined ? [] : [spoolProblem]
    try {
      const { waiting: left } = waiting()
      const since = clock.now() - (sender.lastGoodAt ?? startedAt)
      if (left > 0 && since > sendingSeconds) {
        found.push(
          `Sending: ${count(left, 'upload')} ${left === 1 ? 'waits' : 'wait'}, and no server took one for ${formatDuration(since)}.`,
        )
      }
    } catch (error) {
      found.push(`Spool: ${(error as Error).message}`)
    }
    return found
  }

  /** Reports outside of a spool that cannot be written, as on a full disk, make the agent unhealthy. */
  function noteSpool() {
    const known = spoolProblem
    if (known === undefined && spool.lastFailure === undefined) return
    const problem = spool.findProblem()
    if (problem !== undefined && known === undefined) logger.error({ reason: problem }, 'spool not usable')
    if (problem === undefined && known !== undefined) logger.info('spool usable again')
    spoolProblem = problem
    if (problem === undefined) spool.lastFailure = undefined
  }

  function noteSent({ entry, outcome }: SendResult) {
    const { id, cluster, server } = entry
    const what = { upload: id, cluster, server: server.url }
    if ('uploaded' in outcome) logger.info({ ...what, run_id: outcome.uploaded.run_id }, 'upload sent')
    else logger.warn({ ...what, reason: outcome.error.message }, 'upload not sent')
    onSent()
  }
}
