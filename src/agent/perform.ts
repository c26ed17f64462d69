import { hash } from 'node:crypto'
import type { Client } from '../client/client.ts'
import type { Env } from '../config/env.ts'
import { ReltError } from '../errors.ts'
import type { SpoolServer } from '../spool/entry-file.ts'
import { isUnavailable } from '../spool/send.ts'
import type { Spool } from '../spool/spool.ts'
import type { Occurrence, OccurrenceEnd } from '../store/fleet/agent-occurrence.ts'
import type { SubmitContext } from '../submit/context.ts'
import { readPolicyFile } from '../submit/read-policy-file.ts'
import type { ReportOptions } from '../submit/report-options.ts'
import { review } from '../submit/review.ts'
import type { SubmitOutcome } from '../submit/submission.ts'
import type { JobOptions } from './job.ts'

/** Client and spool of a job's server; without a server, of the local store. */
export interface Connection {
  client: Client
  server: SpoolServer | undefined
  spool: Spool | undefined
}

/** Opens the connection of a job: to a server by name or URL, to `local`, or to the current server if undefined. */
export type Connect = (server: string | undefined) => Promise<Connection>

export interface PerformContext {
  connect: Connect
  env: Env
  now: () => number
  /** Name of the machine, see `machineFor`. */
  machine: string
  onWarning: (text: string) => void
}

/** Reads the policy before the work, so that an invalid file does not cost half an hour. */
export async function prepare(context: PerformContext, job: JobOptions) {
  const policy = job.gate === undefined ? undefined : readPolicyFile(job.gate)
  if (job.gate !== undefined && !policy) throw new ReltError('gate_undecided', `${job.gate} has no gate key.`)
  const connection = await context.connect(job.server)
  const submitContext: SubmitContext = {
    ...connection,
    env: context.env,
    now: context.now,
    onProgress: () => {},
    onWarning: context.onWarning,
  }
  return { connection, submitContext, policy }
}

/**
 * The idempotency key for the words that identify a report, equal for all attempts: data sent by an interrupted attempt is not
 * stored twice.
 */
export function idempotencyKey(...words: (string | number)[]) {
  return `relt-agent-${hash('sha256', JSON.stringify(words)).slice(0, 32)}`
}

/** Options of the job for the report of an occurrence. */
export function reportOptions(
  { machine }: PerformContext,
  { job, occurrence, signal }: { job: JobOptions; occurrence: Occurrence; signal: AbortSignal },
): ReportOptions {
  return {
    context: job.context,
    namespaces: job.namespaces,
    deprecatedApis: job.deprecated_apis,
    cluster: job.cluster,
    environment: job.environment,
    out: job.keep_reports,
    timeoutMs: job.timeout * 1000,
    offlineOk: true,
    idempotencyKey: idempotencyKey(machine, job.name, occurrence.id, occurrence.due_at),
    signal,
  }
}

interface Submitted {
  outcome: SubmitOutcome
  report: Uint8Array
  policy: ReturnType<typeof readPolicyFile>
}

/**
 * Like `endOf`, for a report that cannot be submitted again: it is stored, even if the server becomes unavailable before the
 * review.
 */
export async function endOfScan(context: SubmitContext, submitted: Submitted): Promise<OccurrenceEnd> {
  const { outcome, policy } = submitted
  try {
    return await endOf(context, submitted)
  } catch (error) {
    if (!outcome.uploaded || !isUnavailable(error)) throw error
    const { run_id } = outcome.uploaded
    return { state: 'done', run_id, score: null, verdict: policy ? 'undecided' : null, detail: error.message }
  }
}

/** The end of an occurrence whose report was submitted. */
export async function endOf(context: SubmitContext, { outcome, report, policy }: Submitted): Promise<OccurrenceEnd> {
  const reviewed = await review(context, outcome, { report, policy, run: true })
  const run = reviewed.run ?? outcome.spooled?.run
  return {
    state: 'done',
    run_id: run?.run_id ?? outcome.uploaded?.run_id ?? null,
    score: run?.score ?? null,
    verdict: reviewed.gate?.result.verdict ?? null,
    detail: outcome.spooled ? `Queued: ${outcome.reason.message}` : null,
  }
}
