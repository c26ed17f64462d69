import { ReportEnvelope } from '../contract/cluster-report.ts'
import { invalidParams, ReltError } from '../errors.ts'
import { readUpload } from '../reports/describe-run.ts'
import { toRunGuidance } from '../reports/guidance.ts'
import { nameOfSubjects } from '../reports/ledger.ts'
import { findMissed, withFaults } from '../reports/missed.ts'
import { describeLook } from '../reports/run-ledger.ts'
import { toCheckNotRun, toRun } from '../reports/run-record.ts'
import { scoreFloor } from '../reports/score-floor.ts'
import type { SpoolServer } from '../spool/entry-file.ts'
import type { Spool } from '../spool/spool.ts'
import { defined } from '../util/defined.ts'
import { formatTimestamp } from '../util/time.ts'
import { during, type SubmitContext } from './context.ts'
import type { SpooledUpload, Submission } from './submission.ts'

export interface EnqueueContext extends Pick<SubmitContext, 'now' | 'onProgress' | 'onWarning'> {
  server: SpoolServer
  spool: Spool
}

/**
 * Queues an upload in the spool that its server has just refused. Validates the report like the server, with the same errors:
 * one that the server would reject is not queued. If the spool is full or not writable, throws the server's error.
 */
export async function enqueue(
  context: EnqueueContext,
  submission: Required<Submission>,
  reason: ReltError,
): Promise<SpooledUpload> {
  const { server, spool, onWarning } = context
  const now = context.now()
  const { scan, run } = await during(context, { name: 'read' }, () => read(submission, now))
  for (const warning of scan.warnings ?? []) onWarning(warning)
  const place = { server, cluster: run.cluster_name, environment: run.environment }
  const { body: given } = submission
  const body =
    run.finished_at === null
      ? given
      : { ...given, run: { ...given.run, finished_at: formatTimestamp(run.finished_at) } }
  let id: string
  try {
    id = spool.put({ ...submission, ...place, body }, now).id
  } catch (cause) {
    if (!(cause instanceof ReltError)) throw cause
    const { message, hint } = cause
    throw new ReltError(reason.code, `${reason.message} The report could not be queued either: ${message}`, {
      ...(hint && { hint }),
      cause,
    })
  }
  onWarning(
    `${reason.message} The report is queued as ${id}. relt sends it after the next upload, or with relt spool send.`,
  )
  const subject = nameOfSubjects(scan.subjects)
  const notRun = { checks_not_run: withFaults(scan.checksNotRun, findMissed(scan)).map(toCheckNotRun) }
  return {
    spool_id: id,
    server,
    run: {
      ...toRun(id, run),
      ...notRun,
      ...defined({ subject }),
      scanner: scan.format,
      subjects: describeLook(scan),
      ...scoreFloor(run.score, scan.guidance, scan),
      ...toRunGuidance(scan.guidance),
    },
  }
}

async function read({ body, report }: Submission, now: number) {
  const { scan, run } = await readUpload(report, parse(body), now)
  // A run without a time is ordered by when it was queued, not by when it is sent.
  const isTimed = run.started_at !== null || run.finished_at !== null
  return { scan, run: isTimed ? run : { ...run, finished_at: now } }
}

function parse(body: ReportEnvelope) {
  const parsed = ReportEnvelope.safeParse(body)
  if (parsed.success) return parsed.data
  throw invalidParams(Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.'), message])))
}
