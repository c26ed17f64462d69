import { hash } from 'node:crypto'
import type { ReportEnvelope } from '../contract/cluster-report.ts'
import type { ReceivedRun, ReceivedUploadResult } from '../contract/received/cluster-report.ts'
import { isObject } from '../util/json.ts'
import type { End } from './end.ts'
import type { ListedRun } from './list-runs.ts'
import { downloadRun, factsOfReport } from './run-facts.ts'

/** `false`: the source does not return the report. */
export async function copyRun(from: End, to: End, listed: ListedRun): Promise<ReceivedUploadResult | false> {
  const { run, report } = await downloadRun(from.client, listed.run.run_id)
  if (!report) return false
  const whole = { ...listed.run, ...withoutNulls(run) }
  whole.cluster_name ??= listed.cluster
  whole.environment ??= listed.environment
  return to.client.call('uploadReport', {
    body: { ...toEnvelope(whole), ...(await toTimes(whole, report)) },
    report,
    idempotencyKey: toKey(from, run.run_id),
  })
}

/** The fields of an upload that recreates the run; omits those missing from the record. */
function toEnvelope(run: ReceivedRun): ReportEnvelope {
  const { cluster_name: name, environment, provider, region, source, source_version, ci, format, inventory } = run
  return withoutNulls({
    environment,
    source,
    source_version,
    cluster: withoutNulls({ name, provider, region }),
    ci: ci && withoutNulls(ci),
    // Servers with only the published API support no other format.
    format: format === 'kubebuddy' ? null : format,
    artifacts: inventory && isFilled(inventory) ? inventory : null,
    allow_empty: run.is_empty === true ? true : null,
  })
}

/** For a report without its own time, uses the upload time, so that the run keeps its position in the history. */
async function toTimes(run: ReceivedRun, report: Uint8Array): Promise<Pick<ReportEnvelope, 'run'>> {
  const { started_at, finished_at, duration_seconds, ingested_at } = run
  const isTimeless = started_at === null && finished_at === null && !(await factsOfReport(report, run))?.at
  return { run: withoutNulls({ started_at, finished_at: isTimeless ? ingested_at : finished_at, duration_seconds }) }
}

function withoutNulls<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const known = Object.entries(members).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(known.filter(([, value]) => !isObject(value) || Object.keys(value).length > 0)) as never
}

const isFilled = (inventory: object): boolean =>
  Object.values(inventory).some((list) => Array.isArray(list) && list.length > 0)

/** Derived from the run at its source: however often it is copied to a server, it is stored once. */
function toKey({ address }: End, runId: string): string {
  return `relt-sync-${hash('sha256', JSON.stringify([address, runId])).slice(0, 40)}`
}
