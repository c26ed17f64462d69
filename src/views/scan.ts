import type { ReceivedRun } from '../contract/received/cluster-report.ts'
import { span } from '../util/duration.ts'
import { parseTimestamp, type UnixSeconds } from '../util/time.ts'
import { named, type Said, safe, say } from './said.ts'

type Times = Pick<ReceivedRun, 'finished_at' | 'started_at' | 'ingested_at'>

/** When the run's scan ended, if known. */
export function scannedAt({ finished_at, started_at, ingested_at }: Times): string | null {
  return finished_at ?? started_at ?? ingested_at
}

/** The run that an answer is about. Null if a server does not return it. */
export interface RunSubject {
  /** Null for a run that is queued for its server. */
  run_id: string | null
  cluster_name: string | null
  environment: string | null
  format: ReceivedRun['format']
  scanned_at: string | null
  age_seconds: number | null
}

type Described = Times & Pick<ReceivedRun, 'run_id' | 'cluster_name' | 'environment' | 'format'>

export function toSubject(run: Described, { now, isUnsent }: { now: UnixSeconds; isUnsent?: boolean }): RunSubject {
  const { run_id, cluster_name, environment, format } = run
  const scanned_at = scannedAt(run)
  const at = scanned_at === null ? undefined : parseTimestamp(scanned_at)
  return {
    run_id: isUnsent ? null : run_id,
    cluster_name,
    environment,
    format,
    scanned_at,
    age_seconds: at === undefined ? null : Math.max(0, now - at),
  }
}

/** Selects these fields from a larger object. */
export function pickSubject(result: RunSubject): RunSubject {
  const { run_id, cluster_name, environment, format, scanned_at, age_seconds } = result
  return { run_id, cluster_name, environment, format, scanned_at, age_seconds }
}

/** `shop-prod (prod), run crun_a of kubebuddy, scanned 2026-08-31 06:00:00, 30 h ago` */
export function subjectText(subject: RunSubject): string {
  const { run_id, cluster_name, environment, format } = subject
  const run = run_id === null ? 'a run that is not sent yet' : `run ${run_id}`
  return [
    `${cluster_name ?? 'Unknown cluster'} (${environment ?? '-'})`,
    format === null ? run : `${run} of ${format}`,
    scanTimeText(subject),
  ].join(', ')
}

/** `scanned 2026-08-31 06:00:00, 30 h ago`; the time is UTC. */
export function scanTimeText({ scanned_at, age_seconds }: Pick<RunSubject, 'scanned_at' | 'age_seconds'>): string {
  if (scanned_at === null) return 'time of the scan unknown'
  const age = age_seconds === null ? '' : age_seconds < 60 ? ', just now' : `, ${span(age_seconds)} ago`
  return `scanned ${scanned_at}${age}`
}

/** `shop-prod (prod)`. */
export function clusterPiece(run: Pick<ReceivedRun, 'cluster_name' | 'environment'> | null): Said {
  const { cluster_name = null, environment = null } = run ?? {}
  const cluster = cluster_name === null ? safe('Unknown cluster') : named('cluster', cluster_name, { tone: 'strong' })
  return say`${cluster} (${environment === null ? safe('-') : named('environment', environment)})`
}

/** `shop-prod/prod` */
export const slashedCluster = ({ cluster_name, environment }: Record<'cluster_name' | 'environment', string>): Said =>
  say`${named('cluster', cluster_name)}/${named('environment', environment)}`

/** Time of the scan, which may be unknown. */
export const scannedText = ({ last_scan, latest_run }: { last_scan: string | null; latest_run: object | null }) =>
  last_scan ?? (latest_run === null ? 'never' : 'unknown')
