import type { Finding, ReportFormat } from '../contract/cluster-report.ts'
import { unpack } from '../util/pack.ts'
import { readFindings } from './compare.ts'
import { rankOf, recordLength } from './finding-index.ts'
import { Fingerprinter } from './fingerprint.ts'
import { readScan } from './formats/index.ts'
import { checkItem, readItem } from './item.ts'
import { type CheckWithItems, readReport } from './read.ts'

/** A finding of a run; `count` is how often the scanner counts it, replicas and unlisted rows included. */
export type ListedFinding = Finding & { count: number }

/**
 * Every finding of a report, each fingerprint once. The counts add up to KubeBuddy's own; in the report of another
 * scanner each finding counts once. Throws `invalid_json` or `invalid_param`.
 */
export async function listFindings(report: Uint8Array, format: ReportFormat): Promise<ListedFinding[]> {
  if (format === 'kubebuddy') return listCounted(report)
  const { index } = await readScan(report, format)
  const details = async (block: number) => unpack(index.details[block]!)
  const all = Array.from({ length: index.records.length / recordLength }, (_, i) => i * recordLength)
  return (await readFindings({ index, details }, all)).map((finding) => ({ ...finding, count: 1 }))
}

function listCounted(report: Uint8Array): ListedFinding[] {
  const findings = new Map<string, ListedFinding>()
  const fingerprinter = new Fingerprinter()
  readReport(report, (check) => {
    if (!check.failed) return
    const unlisted = check.total - check.items.length
    for (const raw of check.items) add(findings, fingerprinter, check, readItem(raw, check), 1)
    if (unlisted > 0) add(findings, fingerprinter, check, checkItem(check), unlisted)
  })
  return [...findings.values()]
}

function add(
  findings: Map<string, ListedFinding>,
  fingerprinter: Fingerprinter,
  check: CheckWithItems,
  item: ReturnType<typeof readItem>,
  count: number,
): void {
  const key = fingerprinter.of(check.id, item)
  const known = findings.get(key)
  if (known) {
    known.count += count
    if (rankOf(check.severity) < rankOf(known.severity)) known.severity = check.severity
    return
  }
  const { id, name, category, severity } = check
  const fingerprint = Buffer.from(key, 'latin1').toString('hex')
  findings.set(key, { fingerprint, check_id: id, check_name: name, category, severity, ...item, count })
}
