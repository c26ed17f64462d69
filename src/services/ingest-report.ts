import { hash, randomBytes } from 'node:crypto'
import type * as z from 'zod/mini'
import type { ReportEnvelope, UploadResult } from '../contract/cluster-report.ts'
import type { Db } from '../db/open.ts'
import { missingParams } from '../errors.ts'
import type { Artifacts, ImageArtifact } from '../reports/artifact.ts'
import { countArtifacts, imageOfFinding, readArtifacts } from '../reports/artifacts.ts'
import { type FindingIndex, FindingIndexer } from '../reports/finding-index.ts'
import { countFindings, type Report, readReport } from '../reports/read.ts'
import { getOrAddCluster } from '../store/cluster.ts'
import { rememberFindings } from '../store/finding-history.ts'
import { findDuplicate, insertRun, type NewRun, type StoredRun } from '../store/run.ts'
import { insertFindingRecords, insertParts } from '../store/run-part.ts'
import { trimJson } from '../util/json.ts'
import { pack, packAside } from '../util/pack.ts'
import { formatTimestamp } from '../util/time.ts'
import type { RunContext } from './run-context.ts'
import type { Vault } from './vault.ts'

export interface ReportUpload {
  envelope: z.output<typeof ReportEnvelope>
  /** JSON text. */
  report: Uint8Array
  idempotencyKey?: string | undefined
}

interface Ingest {
  userId: number
  /** Unix seconds. */
  now: number
  vault: () => Promise<Vault>
}

/**
 * Stores a report as a run: whole, or not at all. The same content, or the same idempotency key, for the same user,
 * cluster and environment answers with the first run.
 */
export async function ingestReport(
  db: Db,
  upload: ReportUpload,
  { userId, now, vault }: Ingest,
): Promise<UploadResult> {
  const { envelope, idempotencyKey } = upload
  const bytes = trimJson(upload.report)
  // Compressing goes on in another thread while this one reads.
  const packedReport = packAside(bytes)
  const { report, index, artifacts } = readFindings(bytes)
  const name = envelope.cluster?.name ?? report.clusterName
  if (name === undefined) throw missingParams({ 'cluster.name': 'is needed: the report names no cluster' })
  const cluster = { userId, name, environment: envelope.environment ?? 'prod' }
  const contentHash = hash('sha256', bytes, 'buffer')

  const first = await findDuplicate(db, cluster, contentHash, idempotencyKey)
  if (first) return duplicateOf(first)

  const runId = newRunId()
  const parts = sealParts(await vault(), runId, {
    report: await packedReport,
    details: index.details,
    context: { scope: report.scope, checks: index.checks, namespaces: index.namespaces, artifacts },
  })
  return db.transaction().execute(async (trx) => {
    const raced = await findDuplicate(trx, cluster, contentHash, idempotencyKey)
    if (raced) return duplicateOf(raced)
    const { id: clusterId } = await getOrAddCluster(trx, cluster)
    const times = runTimes(report, envelope, now)
    const id = await insertRun(trx, {
      run_id: runId,
      cluster_id: clusterId,
      ...times,
      ...describe(report, envelope, artifacts),
      size_bytes: upload.report.length,
      content_hash: contentHash,
      idempotency_key: idempotencyKey ?? null,
    })
    await insertParts(trx, id, parts)
    await insertFindingRecords(trx, id, index.records)
    await rememberFindings(trx, { id, clusterId, at: times.at }, index.records)
    return { success: true, run_id: runId, ingested_at: formatTimestamp(now), processing_status: 'ready' }
  })
}

/** 80 random bits, short enough to read and to fit a table. */
function newRunId(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz234567'
  return `crun_${Array.from(randomBytes(16), (byte) => letters[byte % 32]).join('')}`
}

function duplicateOf({ run }: StoredRun): UploadResult {
  const { run_id, ingested_at, processing_status } = run
  return { success: true, run_id, ingested_at, processing_status, duplicate: true }
}

function readFindings(bytes: Uint8Array): { report: Report; index: FindingIndex; artifacts: Artifacts } {
  const images: ImageArtifact[] = []
  const indexer = new FindingIndexer()
  const report = readReport(bytes, (check) =>
    indexer.add(check, (item) => {
      const image = imageOfFinding(check, item)
      if (image) images.push(image)
    }),
  )
  return { report, index: indexer.finish(), artifacts: readArtifacts(report, images) }
}

function sealParts(vault: Vault, runId: string, plain: { report: Buffer; details: Buffer[]; context: RunContext }) {
  return [
    vault.seal(runId, 'report', 0, plain.report),
    vault.seal(runId, 'context', 0, pack(JSON.stringify(plain.context))),
    ...plain.details.map((block, part) => vault.seal(runId, 'details', part, block)),
  ]
}

function runTimes(report: Report, { run }: ReportUpload['envelope'], now: number) {
  const startedAt = run?.started_at ?? null
  const finishedAt = run?.finished_at ?? report.generatedAt ?? null
  const claimed = finishedAt ?? startedAt ?? now
  const lasted = startedAt !== null && finishedAt !== null && finishedAt >= startedAt ? finishedAt - startedAt : null
  return {
    // No scan ends after its report has come: a clock that runs ahead must not order the runs.
    at: Math.min(Math.floor(claimed), now),
    ingested_at: now,
    started_at: startedAt,
    finished_at: finishedAt,
    duration_seconds: run?.duration_seconds ?? lasted,
  }
}

function describe(report: Report, envelope: ReportUpload['envelope'], artifacts: Artifacts) {
  const findings = countFindings(report.checks)
  const ci = Object.entries(envelope.ci ?? {}).filter(([, value]) => value !== undefined && value !== null)
  return {
    provider: envelope.cluster?.provider ?? null,
    region: envelope.cluster?.region ?? null,
    source: envelope.source ?? null,
    source_version: envelope.source_version ?? null,
    kubernetes_version: report.kubernetesVersion ?? null,
    score: report.score ?? null,
    total_checks: report.checks.length,
    failed_checks: report.checks.filter((check) => check.failed).length,
    findings_total: findings.total,
    findings_critical: findings.critical,
    findings_high: findings.high,
    findings_medium: findings.medium,
    findings_low: findings.low,
    findings_info: findings.info,
    ...countArtifacts(artifacts),
    ci: ci.length > 0 ? JSON.stringify(Object.fromEntries(ci)) : null,
  } satisfies Partial<NewRun>
}
