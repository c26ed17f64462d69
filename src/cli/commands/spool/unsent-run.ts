import { ReportEnvelope } from '../../../contract/cluster-report.ts'
import type { Run } from '../../../contract/received/cluster-report.ts'
import { invalidParams, missingParams } from '../../../errors.ts'
import { countArtifacts, withInventory } from '../../../reports/artifacts.ts'
import { readScan } from '../../../reports/formats/index.ts'
import { isEmpty, refuseEmpty } from '../../../reports/refuse-empty-report.ts'
import { formatTimestamp } from '../../../util/time.ts'

/** What the report tells of the run that it will be, without its id; it is read as the service reads it. */
export type UnsentRun = Omit<Run, 'run_id'>

/** Throws as the service does: what it would refuse is not worth keeping. `now` is in unix seconds. */
export async function readUnsent(
  body: ReportEnvelope,
  report: Uint8Array,
  now: number,
): Promise<{ run: UnsentRun; warnings: string[] }> {
  const envelope = parse(body)
  const scan = await readScan(report, envelope.format ?? 'auto')
  const { cluster, run, ci } = envelope
  const name = cluster?.name ?? scan.clusterName
  if (name === undefined) throw missingParams({ 'cluster.name': 'is needed: the report names no cluster' })
  refuseEmpty(scan, envelope.allow_empty)
  const artifacts = withInventory(scan.artifacts, envelope.artifacts)
  const finishedAt = run?.finished_at ?? scan.generatedAt ?? (run?.started_at ? undefined : now)
  const unsent: UnsentRun = {
    cluster_name: name,
    environment: envelope.environment ?? 'prod',
    provider: cluster?.provider ?? null,
    region: cluster?.region ?? null,
    source: envelope.source ?? null,
    source_version: envelope.source_version ?? null,
    kubernetes_version: artifacts.kubernetesVersion,
    score: scan.score?.value ?? null,
    score_source: scan.score?.source ?? null,
    format: scan.format,
    total_checks: scan.totalChecks,
    failed_checks: scan.failedChecks,
    passed_checks: scan.totalChecks - scan.failedChecks - scan.checksNotRun.length,
    is_empty: isEmpty(scan),
    not_run_checks: scan.checksNotRun.length,
    checks_not_run: scan.checksNotRun.map(({ id, name, reason }) => ({ check_id: id, name, reason })),
    findings: scan.findings,
    artifacts: countArtifacts(artifacts),
    started_at: written(run?.started_at),
    finished_at: written(finishedAt),
    duration_seconds: run?.duration_seconds ?? null,
    ingested_at: formatTimestamp(now),
    processing_status: 'ready',
    size_bytes: report.length,
    ci: ci ? Object.fromEntries(Object.entries(ci).filter(([, value]) => value !== null)) : null,
  }
  return { run: unsent, warnings: scan.warnings ?? [] }
}

const written = (seconds: number | null | undefined) => (seconds ? formatTimestamp(Math.floor(seconds)) : null)

function parse(body: ReportEnvelope) {
  const parsed = ReportEnvelope.safeParse(body)
  if (parsed.success) return parsed.data
  throw invalidParams(Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.'), message])))
}
