import type { NamedServer } from '../../../context.ts'
import type { ReportEnvelope } from '../../../contract/cluster-report.ts'
import type { Run, UploadResult } from '../../../contract/received/cluster-report.ts'
import { ReltError } from '../../../errors.ts'
import { newUploadKey } from '../../../util/upload-key.ts'
import { withProgress } from '../../output/progress.ts'
import type { Cli } from '../../program/command.ts'

/** An upload that waits for its server. */
export interface Kept {
  spool_id: string
  server: NamedServer
  /** Why the server did not take it. */
  reason: ReltError
  /** As the report alone tells it; its id is the spool's. */
  run: Run
}

export type Outcome = { uploaded: UploadResult; kept?: undefined } | { uploaded?: undefined; kept: Kept }

interface Upload {
  body: ReportEnvelope
  /** JSON text. */
  report: Uint8Array
}

/**
 * Stores a report, and sends what has waited for the same server. With `offlineOk`, an upload that a server cannot take
 * now is kept until it can.
 */
export async function storeOrKeep(
  cli: Cli,
  upload: Upload,
  { offlineOk, atOnce = false }: { offlineOk?: boolean; atOnce?: boolean },
): Promise<Outcome> {
  const { context, io } = cli
  const server = await context.server()
  const keyed = { ...upload, idempotencyKey: newUploadKey() }
  let uploaded: UploadResult
  try {
    const client = await context.client()
    uploaded = await withProgress(io, 'Storing the report', () => client.call('uploadReport', keyed), { atOnce })
  } catch (error) {
    if (!server || !offlineOk) throw error
    const { isUnavailable } = await import('../../../spool/send.ts')
    if (!isUnavailable(error)) throw error
    return { kept: await keep(cli, keyed, server, error) }
  }
  await tellWarnings(cli, uploaded.warnings)
  if (server) await (await import('./flush.ts')).flushSpool(cli, server)
  return { uploaded }
}

async function tellWarnings(cli: Cli, warnings: string[] = []): Promise<void> {
  if (warnings.length === 0) return
  const { warn } = await import('./open.ts')
  for (const warning of warnings) warn(cli, warning)
}

async function keep(
  cli: Cli,
  { body, report, idempotencyKey }: Upload & { idempotencyKey: string },
  server: NamedServer,
  reason: ReltError,
): Promise<Kept> {
  const [{ openSpool, warn }, { readUnsent }] = await Promise.all([import('./open.ts'), import('./unsent-run.ts')])
  const now = cli.context.now()
  const { run, warnings } = await withProgress(cli.io, 'Reading the report', () => readUnsent(body, report, now))
  await tellWarnings(cli, warnings)
  // When it is sent, it is to take its place among the runs by when the scan ended.
  const timed = { ...body, run: { ...body.run, ...(run.finished_at && { finished_at: run.finished_at }) } }
  const place = { server, cluster: run.cluster_name, environment: run.environment }
  const upload = { ...place, idempotencyKey, body: timed, report }
  const { id } = put()
  warn(cli, `${reason.message} The report is kept as ${id}: it is sent after the next upload, or by relt spool send.`)
  return { spool_id: id, server, reason, run: { run_id: id, ...run } }

  function put() {
    try {
      return openSpool(cli).put(upload, now)
    } catch (cause) {
      if (!(cause instanceof ReltError)) throw cause
      const { message, hint } = cause
      throw new ReltError(reason.code, `${reason.message} Nor could the report be kept: ${message}`, {
        ...(hint && { hint }),
        cause,
      })
    }
  }
}
