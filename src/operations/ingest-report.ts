import { hash, randomBytes } from 'node:crypto'
import type * as z from 'zod/mini'
import type { ReportEnvelope, UploadResult } from '../contract/cluster-report.ts'
import type { Db } from '../db/open.ts'
import { missingParams } from '../errors.ts'
import { countArtifacts, withInventory } from '../reports/artifacts.ts'
import { isEmpty, refuseEmpty } from '../reports/empty.ts'
import type { FindingIndex } from '../reports/finding-index.ts'
import { changeFingerprints, sortRecords } from '../reports/finding-records.ts'
import { identityVersion } from '../reports/fingerprint.ts'
import { readScan } from '../reports/formats/index.ts'
import type { Scan } from '../reports/scan.ts'
import { getOrAddCluster } from '../store/cluster.ts'
import { rememberFindings } from '../store/finding-history.ts'
import { correctFutureRuns, findDuplicate, insertRun, type NewRun, type StoredRun } from '../store/run.ts'
import { insertFindingRecords, insertParts } from '../store/run-part.ts'
import { trimJson } from '../util/json.ts'
import { pack, packAside } from '../util/pack.ts'
import { formatTimestamp } from '../util/time.ts'
import { contextOf, type RunContext } from './run-context.ts'
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
 * Reads and seals a report, and returns what stores it in a transaction: whole, or not at all. An upload that repeats
 * another one answers with that one's run.
 */
export async function prepareRun(
  db: Db,
  upload: ReportUpload,
  { userId, now, vault }: Ingest,
): Promise<(trx: Db) => Promise<UploadResult>> {
  const { envelope, idempotencyKey } = upload
  const bytes = trimJson(upload.report)
  // Compressing goes on in another thread while this one reads.
  const packedReport = packAside(bytes)
  const told = await readScan(bytes, envelope.format ?? 'auto')
  const scan = { ...told, artifacts: withInventory(told.artifacts, envelope.artifacts) }
  const { index } = scan
  const name = envelope.cluster?.name ?? nameIn(scan.clusterName)
  if (name === undefined) throw missingParams({ 'cluster.name': 'is needed: the report names no cluster' })
  refuseEmpty(told, envelope.allow_empty)
  const cluster = { userId, name, environment: envelope.environment ?? 'prod' }
  const times = runTimes(scan, envelope, now)
  const keys = await vault()
  const contentHash = storedContentHash(keys, hash('sha256', bytes, 'buffer'))
  const sent = {
    contentHash,
    idempotencyKey,
    tellsTime: scan.generatedAt !== undefined,
    scannedAt: times.finished_at ?? times.started_at,
  }

  const first = await findDuplicate(db, cluster, sent, now)
  if (first) return async () => ({ ...duplicateOf(first), ...warningsOf(scan) })

  const runId = newRunId()
  const records = storedRecords(keys, index)
  const parts = sealParts(keys, runId, {
    report: await packedReport,
    details: index.details,
    context: contextOf(scan),
  })
  return async (trx) => {
    const raced = await findDuplicate(trx, cluster, sent, now)
    if (raced) return { ...duplicateOf(raced), ...warningsOf(scan) }
    const { id: clusterId } = await getOrAddCluster(trx, cluster)
    await correctFutureRuns(trx, clusterId, { at: times.at, now })
    const id = await insertRun(trx, {
      run_id: runId,
      cluster_id: clusterId,
      ...times,
      ...describeOrigin(envelope),
      ...describeScan(scan),
      size_bytes: upload.report.length,
      content_hash: contentHash,
      idempotency_key: idempotencyKey ?? null,
      identity_version: identityVersion,
    })
    await insertParts(trx, id, parts)
    await insertFindingRecords(trx, id, records)
    await rememberFindings(trx, { id, clusterId, at: times.at }, records)
    return {
      success: true,
      run_id: runId,
      ingested_at: formatTimestamp(now),
      processing_status: 'ready',
      not_run_checks: scan.checksNotRun.length,
      ...warningsOf(scan),
    }
  }
}

/** In the form that a name in a request has. */
const nameIn = (name: string | undefined) => name?.normalize('NFC').slice(0, 253).toWellFormed()

const warningsOf = ({ warnings = [] }: Scan) => (warnings.length > 0 ? { warnings } : {})

/** 80 random bits, short enough to read and to fit a table. */
function newRunId(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz234567'
  return `crun_${Array.from(randomBytes(16), (byte) => letters[byte % 32]).join('')}`
}

function duplicateOf({ run }: StoredRun): UploadResult {
  const { run_id, ingested_at, processing_status, not_run_checks } = run
  return { success: true, run_id, ingested_at, processing_status, not_run_checks, duplicate: true }
}

/** Without the store's key nobody can check a guess of a report. `content` is the SHA-256 of the report. */
export function storedContentHash(vault: Vault, content: Uint8Array): Buffer {
  return vault.keyedHash('report-content', content)
}

/** Fingerprints are hidden before they are sorted, as the order of the originals would narrow a guess. */
export function storedRecords(vault: Vault, { records }: Pick<FindingIndex, 'records'>): Buffer {
  return sortRecords(changeFingerprints(records, (fingerprints) => vault.hideFingerprints(fingerprints)))
}

export function sealParts(
  vault: Vault,
  runId: string,
  plain: { report: Buffer; details: Buffer[]; context: RunContext },
) {
  return [
    vault.seal(runId, 'report', 0, plain.report),
    vault.seal(runId, 'context', 0, pack(JSON.stringify(plain.context))),
    ...plain.details.map((block, part) => vault.seal(runId, 'details', part, block)),
  ]
}

function runTimes(scan: Scan, { run }: ReportUpload['envelope'], now: number) {
  const startedAt = run?.started_at ?? null
  const finishedAt = run?.finished_at ?? scan.generatedAt ?? null
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

function describeOrigin(envelope: ReportUpload['envelope']) {
  const ci = Object.entries(envelope.ci ?? {}).filter(([, value]) => value !== undefined && value !== null)
  return {
    provider: envelope.cluster?.provider ?? null,
    region: envelope.cluster?.region ?? null,
    source: envelope.source ?? null,
    source_version: envelope.source_version ?? null,
    ci: ci.length > 0 ? JSON.stringify(Object.fromEntries(ci)) : null,
  } satisfies Partial<NewRun>
}

/** What follows from the report alone. */
export function describeScan(scan: Scan) {
  const { findings, artifacts, index } = scan
  return {
    kubernetes_version: artifacts.kubernetesVersion,
    score: scan.score?.value ?? null,
    score_source: scan.score?.source ?? null,
    format: scan.format,
    total_checks: scan.totalChecks,
    failed_checks: scan.failedChecks,
    not_run_checks: scan.checksNotRun.length,
    is_empty: isEmpty(scan) ? 1 : 0,
    findings_total: findings.total,
    findings_critical: findings.critical,
    findings_high: findings.high,
    findings_medium: findings.medium,
    findings_low: findings.low,
    findings_info: findings.info,
    suppressed_findings: index.suppressed.reduce((sum, { count }) => sum + count, 0),
    ...countArtifacts(artifacts),
  } satisfies Partial<NewRun>
}
