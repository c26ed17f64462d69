import type { Finding } from '../contract/cluster-report.ts'
import { rankOf } from './finding-index.ts'
import { Fingerprinter } from './fingerprint.ts'
import { checkItem, readItem } from './item.ts'
import { type CheckWithItems, readReport } from './read.ts'

/** A finding of a run; `count` is how often the scanner counts it, replicas and unlisted rows included. */
export type ListedFinding = Finding & { count: number }

/** Every finding of a report, each fingerprint once. The counts add up to the scanner's own. */
export function listFindings(report: Uint8Array): ListedFinding[] {
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
