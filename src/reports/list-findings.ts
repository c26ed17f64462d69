import type { Finding, ReportFormat } from '../contract/scan-finding.ts'
import { unpack } from '../util/pack.ts'
import { recordLength, sortRecords } from './finding-records.ts'
import { readScan } from './formats/index.ts'
import { readFindings } from './read-findings.ts'
import { listSuppressed } from './suppressed.ts'

/** A finding of a run; `count` is how often the scanner counts it, including replicas and unlisted rows. */
export type ListedFinding = Finding & {
  /** Why the finding is suppressed; absent for an open one. */
  suppressed?: { reason: string | null; until: string | null }
  /** How to fix it, as stated in the report. */
  recommendation?: string | null
  url?: string | null
}

/** All findings of a report, one per fingerprint. Throws `invalid_json` or `invalid_param`. */
export async function listFindings(report: Uint8Array, format?: ReportFormat | null): Promise<ListedFinding[]> {
  const { index: read, guidance } = await readScan(report, format)
  const index = { ...read, records: sortRecords(read.records) }
  const details = async (block: number) => unpack(index.details[block]!)
  const all = Array.from({ length: index.records.length / recordLength }, (_, i) => i * recordLength)
  const suppressed = listSuppressed({ index }).map(({ reason, until, ...finding }) => ({
    ...finding,
    suppressed: { reason, until },
  }))
  const advice = new Map(guidance.checks.map(({ id, recommendation, url }) => [id, { recommendation, url }]))
  const open = await readFindings({ index, details, showFingerprints: (shown) => shown }, all)
  return [...open, ...suppressed].map((finding) => ({ ...finding, ...advice.get(finding.check_id) }))
}
