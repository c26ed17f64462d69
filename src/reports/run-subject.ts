import type { ReceivedRun } from '../contract/received/cluster-report.ts'
import { parseTimestamp, type UnixSeconds } from '../util/time.ts'

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
