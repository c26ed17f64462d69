import { hash, randomBytes } from 'node:crypto'
import type * as z from 'zod/mini'
import type { ReportEnvelope, UploadResult } from '../../contract/cluster-report.ts'
import type { Db } from '../../db/open.ts'
import { readUpload } from '../../reports/describe-run.ts'
import type { FindingIndex } from '../../reports/finding-index.ts'
import { changeFingerprints, countRanks, sortRecords } from '../../reports/finding-records.ts'
import type { Guidance } from '../../reports/guidance.ts'
import { type RunRecord, timeOfScan } from '../../reports/run-record.ts'
import type { ImageAdvisories, Scan } from '../../reports/scan.ts'
import { recordEvents } from '../../store/notifications/record-event.ts'
import { lockOrAddCluster } from '../../store/runs/cluster.ts'
import { rememberFindings } from '../../store/runs/finding-history.ts'
import { findLatestOfSeries } from '../../store/runs/latest-run.ts'
import { findRunBefore } from '../../store/runs/list-runs.ts'
import { insertParts } from '../../store/runs/part.ts'
import { insertFindingRecords, packRecords } from '../../store/runs/records.ts'
import { correctFutureRuns, findDuplicate, getRunById, insertRun } from '../../store/runs/run.ts'
import { joinSeries, setEnd } from '../../store/runs/series.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import { trimJson } from '../../util/json.ts'
import { pack, packAside } from '../../util/pack.ts'
import { formatTimestamp } from '../../util/time.ts'
import type { Unlock, Vault } from '../keys/vault.ts'
import { warnApart } from './build.ts'
import { followInventory, isCandidate } from './candidate.ts'
import { carryOn } from './carry-on.ts'
import { contextFor, type RunContext } from './context.ts'
import { sealCounts } from './counts.ts'
import { gapColumns } from './gaps.ts'
import { decideJoins } from './joins.ts'
import { hashSubjects, sealSubjectNames } from './subjects.ts'

export interface ReportUpload {
  envelope: z.output<typeof ReportEnvelope>
  /** JSON text. */
  report: Uint8Array
  idempotencyKey?: string | undefined
}

interface Ingest {
  ownerId: number
  /** Unix seconds. */
  now: number
  vault: Unlock
  /** Runs inside the transaction, unless the run is a duplicate. */
  onStored: (trx: Db, cluster: { ownerId: number; name: string; environment: string }) => Promise<void>
}

/**
 * Parses and seals a report, and returns a function that stores it completely or not at all in a transaction. For a
 * duplicate upload, that function returns the existing run.
 */
export async function prepareRun(
  db: Db,
  upload: ReportUpload,
  { ownerId, now, vault, onStored }: Ingest,
): Promise<(trx: Db) => Promise<UploadResult>> {
  const { envelope, idempotencyKey } = upload
  const bytes = trimJson(upload.report)
  // Compression runs in another thread while this one parses.
  const packedReport = packAside(bytes)
  const { scan, run } = await readUpload(upload.report, envelope, now)
  const cluster = { ownerId, name: run.cluster_name, environment: run.environment }
  const at = timeOfScan(run)
  const keys = await vault()
  const contentHash = storedContentHash(keys, hash('sha256', bytes, 'buffer'))
  const hasOwnTime = scan.generatedAt !== undefined
  const isOfRequest = Boolean(run.ci?.pull_request)
  const sent = { contentHash, idempotencyKey, hasOwnTime, scannedAt: run.finished_at ?? run.started_at, isOfRequest }

  const first = await findDuplicate(db, cluster, sent, now)
  if (first) return async () => ({ ...toDuplicate(first), ...warningsFor(scan) })

  const { state_branch: branch } = envelope
  const prepared = { ...sealScan(keys, scan, await packedReport), run, at, sent, branch }
  const { runId } = prepared
  return async (trx) => {
    const clusterId = await lockOrAddCluster(trx, cluster)
    const raced = await findDuplicate(trx, cluster, sent, now)
    if (raced) return { ...toDuplicate(raced), ...warningsFor(scan) }
    const ends = await insertPrepared(trx, keys, prepared, { clusterId, now })
    await onStored(trx, cluster)
    await recordEvents(trx, [{ type: 'report.ingested', at: now, ownerId, clusterId, data: { runId } }])
    return {
      success: true,
      run_id: runId,
      ingested_at: formatTimestamp(now),
      processing_status: 'ready',
      not_run_checks: run.not_run_checks,
      ...warningsFor(scan, ends),
    }
  }
}

/** Seals a scan as a new run. */
function sealScan(keys: Vault, scan: Scan, report: Buffer) {
  const runId = newRunId()
  const context = contextFor(scan)
  const { index, imageAdvisories: advisories, guidance } = scan
  const records = storedRecords(keys, index)
  const parts = sealParts(keys, runId, { report, details: index.details, context, advisories, guidance, records })
  return { runId, context, parts, records }
}

interface PreparedRun extends ReturnType<typeof sealScan> {
  run: RunRecord
  at: number
  sent: { contentHash: Buffer; idempotencyKey?: string | undefined }
  branch: string | null | undefined
}

/** Returns what ended by it, and what to name apart, one sentence each. */
async function insertPrepared(
  trx: Db,
  keys: Vault,
  { runId, run, at, context, parts, records, sent, branch }: PreparedRun,
  { clusterId, now }: { clusterId: number; now: number },
): Promise<string[]> {
  await correctFutureRuns(trx, clusterId, { at, now })
  const series = { clusterId, format: run.format, kind: context.subjects[0]!.kind }
  const seriesId = await joinSeries(trx, series, hashSubjects(keys, run.format, context.subjects))
  const isJudgedOnly = await isCandidate(trx, keys, clusterId, { subjects: context.subjects, ci: run.ci, branch })
  const id = await insertRun(trx, {
    run_id: runId,
    cluster_id: clusterId,
    series_id: seriesId,
    is_candidate: isJudgedOnly ? 1 : 0,
    at,
    record: run,
    content_hash: sent.contentHash,
    idempotency_key: sent.idempotencyKey ?? null,
    distinct_findings: JSON.stringify(countRanks(records)),
    ...gapColumns(keys, context),
  })
  await insertParts(trx, id, parts)
  await insertFindingRecords(trx, id, records)
  await rememberFindings(trx, { id, clusterId, at }, records)
  await carryOn(trx, keys, id)
  if (isJudgedOnly) return []
  const stored = await getRunById(trx, id)
  await decideJoins(trx, keys, stored)
  await packOlder(trx, stored)
  // A subject that comes back begins again, with its history.
  await setEnd(trx, seriesId, null)
  const ends = await followInventory(trx, keys, { id, clusterId }, context)
  return run.ci?.build_url ? [...ends, ...(await warnApart(trx, keys, await getRunById(trx, id)))] : ends
}

/** A run is packed as soon as a later one of its series is there. */
async function packOlder(trx: Db, run: StoredRun): Promise<void> {
  const latest = await findLatestOfSeries(trx, run.seriesId)
  // All late ones depend on it: if each depended on the next, history that is sent backwards would be one long chain.
  if (latest && latest.id !== run.id) return packRecords(trx, run.id, latest.id)
  const before = await findRunBefore(trx, run)
  if (before) await packRecords(trx, before.id, run.id)
}

function warningsFor({ warnings = [] }: Scan, ends: string[] = []): { warnings?: string[] } {
  const all = [...warnings, ...ends]
  return all.length > 0 ? { warnings: all } : {}
}

/** 80 random bits: short enough to read and to fit in a table. */
function newRunId(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz234567'
  return `crun_${Array.from(randomBytes(16), (byte) => letters[byte % 32]).join('')}`
}

function toDuplicate({ run }: StoredRun): UploadResult {
  const { run_id, ingested_at, processing_status, not_run_checks } = run
  return { success: true, run_id, ingested_at, processing_status, not_run_checks, duplicate: true }
}

/**
 * A keyed hash, so that guesses of a report cannot be verified without the store's key. `content` is the report's SHA-256.
 */
export function storedContentHash(vault: Vault, content: Uint8Array): Buffer {
  return vault.keyedHash('report-content', content)
}

/** Fingerprints are hashed with the key before they are sorted, because their original order would help guessing. */
export function storedRecords(vault: Vault, { records }: Pick<FindingIndex, 'records'>): Buffer {
  return sortRecords(changeFingerprints(records, (fingerprints) => vault.hideFingerprints(fingerprints)))
}

export function sealParts(
  vault: Vault,
  runId: string,
  plain: {
    report: Buffer
    details: Buffer[]
    context: RunContext
    guidance: Guidance
    advisories: ImageAdvisories | undefined
    records: Buffer
  },
) {
  return [
    vault.seal(runId, 'report', 0, plain.report),
    vault.seal(runId, 'context', 0, pack(JSON.stringify(plain.context))),
    ...(plain.advisories ? [vault.seal(runId, 'advisories', 0, pack(JSON.stringify(plain.advisories)))] : []),
    vault.seal(runId, 'guidance', 0, pack(JSON.stringify(plain.guidance))),
    sealCounts(vault, runId, { ...plain.context, records: plain.records }),
    ...sealSubjectNames(vault, runId, plain.context.subjects),
    ...plain.details.map((block, part) => vault.seal(runId, 'details', part, block)),
  ]
}
