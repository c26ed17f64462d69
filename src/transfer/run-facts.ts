import { hash } from 'node:crypto'
import type { Client } from '../client/client.ts'
import type { ReceivedRun } from '../contract/received/cluster-report.ts'
import { readScan } from '../reports/formats/index.ts'
import { isObject, trimJson } from '../util/json.ts'
import { formatTimestamp } from '../util/time.ts'
import type { End } from './end.ts'
import { failureOfItem } from './failure.ts'
import type { ListedRun } from './list-runs.ts'

/** A run, with the text of its report if the end returns it. */
export async function downloadRun(
  client: Client,
  run_id: string,
): Promise<{ run: ReceivedRun; report: Uint8Array | undefined }> {
  const input = { params: { run_id }, query: { include_report: true } }
  const { answer, report } = await client.download('getReport', input)
  return { run: answer, report }
}

/** Facts that identify a run on any server. */
export interface RunFacts {
  id: string
  listed: ListedRun
  cluster: string | null
  environment: string | null
  /** When the scan ended, from the record or report; null if unknown. */
  at: string | null
  /** Hash of the report, independent of member order; undefined: not downloaded yet, null: the server does not return it. */
  content?: string | null
}

/** Facts from the record, as far as available. Records of relt have a format, and the time of their report if it has one. */
export function factsOfRecord(listed: ListedRun): RunFacts {
  const { run, cluster, environment } = listed
  const stated = run.finished_at ?? run.started_at
  const at = stated ?? (run.format === null ? null : run.ingested_at)
  return { id: run.run_id, listed, cluster, environment, at }
}

export const isVague = ({ cluster, at }: RunFacts): boolean => cluster === null || at === null

/** Downloads the report for its content, and for facts that the record lacks. */
export async function completeFacts({ client }: End, facts: RunFacts): Promise<void> {
  if (facts.content !== undefined) return
  facts.content = null
  try {
    const { run, report } = await downloadRun(client, facts.id)
    facts.cluster ??= run.cluster_name
    facts.environment ??= run.environment
    facts.at ??= run.finished_at ?? run.started_at
    if (!report) return
    facts.content = toContent(report)
    if (!isVague(facts)) return
    const read = await factsOfReport(report, run)
    facts.cluster ??= read?.cluster ?? null
    facts.at ??= read?.at ?? run.ingested_at
  } catch (error) {
    failureOfItem(error)
  }
}

/** Facts in the report itself; undefined if no reader accepts it. */
export async function factsOfReport(
  report: Uint8Array,
  { format }: Pick<ReceivedRun, 'format'>,
): Promise<{ cluster: string | null; at: string | null } | undefined> {
  try {
    const { clusterName, generatedAt } = await readScan(trimJson(report), format ?? 'auto')
    return { cluster: clusterName ?? null, at: generatedAt === undefined ? null : formatTimestamp(generatedAt) }
  } catch (error) {
    failureOfItem(error)
    return undefined
  }
}

/** Servers may return object members in another order, and numbers in another form. */
function toContent(report: Uint8Array): string {
  return hash('sha256', JSON.stringify(sorted(JSON.parse(Buffer.from(report).toString('utf8')))))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  )
}
