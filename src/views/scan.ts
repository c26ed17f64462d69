import type { ReceivedRun } from '../contract/received/cluster-report.ts'
import type { RunSubject } from '../reports/run-subject.ts'
import { span } from '../util/duration.ts'
import { named, type Said, safe, say } from './said.ts'

/** `shop-prod (prod), run crun_a of kubebuddy, scanned 2026-08-31 06:00:00, 30 h ago` */
export function subjectText(subject: RunSubject) {
  const { run_id, cluster_name, environment, format } = subject
  const run = run_id === null ? 'a run that is not sent yet' : `run ${run_id}`
  return [
    `${cluster_name ?? 'Unknown cluster'} (${environment ?? '-'})`,
    format === null ? run : `${run} of ${format}`,
    scanTimeText(subject),
  ].join(', ')
}

/** `scanned 2026-08-31 06:00:00, 30 h ago`; the time is UTC. */
export function scanTimeText({ scanned_at, age_seconds }: RunSubject) {
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
