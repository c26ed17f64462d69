import type { Env } from '../config/env.ts'
import type { OccurrenceEnd } from '../store/fleet/agent-occurrence.ts'
import { findProfile } from '../submit/find-profile.ts'
import { profileEnvelope } from '../submit/profile-envelope.ts'
import { toClusterName } from '../submit/report-options.ts'
import { requireAccess } from '../submit/require-access.ts'
import { scanAndSubmit } from '../submit/scan-and-submit.ts'
import { type Connection, endOfScan, type PerformContext, prepare, reportOptions } from './perform.ts'
import { findServerProfile } from './profile-cache.ts'
import type { ReportPlace, ScheduledWork } from './sources/source.ts'

/** Runs the scan profile of a job and submits its report. */
export async function runScan(context: PerformContext, work: ScheduledWork<string>): Promise<OccurrenceEnd> {
  const { job, from } = work
  const { connection, submitContext, policy } = await prepare(context, job)
  const profile = await toProfile(context, from, connection)
  const options = { ...reportOptions(context, work), profile }
  await requireAccess(submitContext, profile, {
    ...options,
    allowEnv: job.allow_env,
    allowHost: job.allow_hosts,
    allowContext: job.allow_contexts,
  })
  const { scan, outcome } = await scanAndSubmit(submitContext, options)
  return endOfScan(submitContext, { outcome, report: scan.report, policy })
}

/** The cluster for reports of a server's profile. */
export async function placeOfProfile(
  idOrName: string,
  { env, connection, context }: { env: Env; connection: Connection; context?: string | undefined },
): Promise<ReportPlace> {
  const profile = await toProfile({ env, onWarning: () => {} }, idOrName, connection)
  return {
    cluster: toClusterName({ profile, context }),
    environment: profileEnvelope(profile).environment ?? undefined,
  }
}

async function toProfile(
  { env, onWarning }: Pick<PerformContext, 'env' | 'onWarning'>,
  idOrName: string,
  connection: Connection,
) {
  const { client, server } = connection
  return server
    ? findServerProfile(idOrName, { env, client, url: server.url, onWarning })
    : findProfile(client, idOrName)
}
