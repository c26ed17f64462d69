import { zstdDecompressSync } from 'node:zlib'
import type { Finding } from '../../src/contract/scan-finding.ts'
import type { ReportCheck, UnreadCheck } from '../../src/reports/check.ts'
import { ClusterNames, namesOfRun } from '../../src/reports/cluster-names.ts'
import { compareRuns } from '../../src/reports/compare.ts'
import { type FindingIndex, FindingIndexer } from '../../src/reports/finding-index.ts'
import { sortRecords } from '../../src/reports/finding-records.ts'
import { readScan } from '../../src/reports/formats/index.ts'
import type { Item } from '../../src/reports/item.ts'
import { wholeCluster } from '../../src/reports/ledger.ts'
import { type Report, readReport } from '../../src/reports/read.ts'
import { namesIn } from '../../src/reports/reported-names.ts'
import type { RunFindings } from '../../src/reports/run-findings.ts'

/** One finding of a made-up scan; what is left out is the same everywhere. */
export interface Row {
  check?: string
  severity?: string
  namespace?: string
  resource?: string
  message?: string
  value?: string
}

export interface ScanOptions {
  cluster?: string
  score?: number
  generatedAt?: string
  excludedNamespaces?: string[]
  /** Checks that are there without a finding. */
  passed?: string[]
}

/** A report of the newer form that has these findings. */
export function scan(rows: Row[], options: ScanOptions = {}) {
  const { cluster = 'shop', score, generatedAt, excludedNamespaces = [], passed = [] } = options
  const checks: Record<string, { ID: string; Name: string; Severity: string; Total: number; Items: object[] }> = {}
  const toCheck = (id: string, severity: string) => {
    checks[id] ??= { ID: id, Name: `Name of ${id}`, Severity: severity, Total: 0, Items: [] }
    return checks[id]
  }
  for (const row of rows) {
    const { check = 'SEC001', severity = 'warning', namespace = 'default', resource, message = 'is wrong', value } = row
    const { Items } = toCheck(check, severity)
    Items.push({ Namespace: namespace, Resource: resource, Message: message, Value: value })
  }
  for (const id of passed) toCheck(id, 'warning')
  for (const check of Object.values(checks)) check.Total = check.Items.length
  return {
    metadata: { clusterName: cluster, kubernetesVersion: 'v1.33.6', generatedAt, score, excludedNamespaces },
    checks,
  }
}

/** As it is uploaded. */
export function toBytes(report: unknown): Uint8Array {
  if (report instanceof Uint8Array) return report
  return Buffer.from(typeof report === 'string' ? report : JSON.stringify(report))
}

export interface CheckWithItems extends ReportCheck, Pick<UnreadCheck, 'suppressed'> {
  items: unknown[]
}

/** A report and its checks with their items. */
export function readWithItems(report: unknown): { report: Report; checks: CheckWithItems[] } {
  const checks: CheckWithItems[] = []
  const read = readReport(toBytes(report), (unread) => {
    const items: unknown[] = []
    const check = unread.read((item) => items.push(item))
    checks.push({ ...check, items, suppressed: unread.suppressed })
    return check
  })
  return { report: read, checks }
}

export const toChecks = (report: unknown): CheckWithItems[] => readWithItems(report).checks

export async function indexOf(
  checks: CheckWithItems[],
  onItem?: (item: Item) => void,
  names?: ClusterNames,
): Promise<FindingIndex> {
  const indexer = new FindingIndexer(names)
  for (const { items, ...check } of checks) {
    const read = (each: (item: unknown) => void) => {
      if (check.failed) for (const item of items) each(item)
      return check
    }
    indexer.add({ ...check, read }, onItem)
  }
  return indexer.finish()
}

/** A run as it is compared with others; `opened` gets the blocks of details that were asked for. */
export async function toRun(report: unknown, opened: number[] = []): Promise<RunFindings> {
  const {
    report: { scope },
    checks,
  } = readWithItems(report)
  const index = await indexOf(checks, undefined, new ClusterNames(namesIn(toBytes(report))))
  return {
    format: 'kubebuddy',
    subjects: [wholeCluster],
    index: { ...index, records: sortRecords(index.records) },
    names: () => namesOfRun('kubebuddy', index),
    showFingerprints: (shown) => shown,
    scope,
    checksNotRun: checks.flatMap(({ id, name, notRun }) => (notRun === undefined ? [] : { id, name, reason: notRun })),
    details: async (block) => {
      opened.push(block)
      return zstdDecompressSync(index.details[block]!)
    },
  }
}

/** Every finding of an index, in its order: what a run has that an empty one has not. */
export async function findingsIn(index: FindingIndex): Promise<Finding[]> {
  const scope = { excludedNamespaces: [], checkIds: index.checks.map((check) => check.id) }
  const details = async (block: number) => zstdDecompressSync(index.details[block]!)
  const run: RunFindings = {
    format: 'kubebuddy',
    subjects: [wholeCluster],
    index: { ...index, records: sortRecords(index.records) },
    scope,
    checksNotRun: [],
    details,
    showFingerprints: (shown) => shown,
  }
  const empty = { ...run, index: { records: Buffer.alloc(0), checks: [], namespaces: [], suppressed: [] } }
  return (await compareRuns(empty, run, async () => new Set())).new
}

/** A run as its whole report is read, with the names of its cluster. */
export async function runOfReport(report: unknown): Promise<RunFindings> {
  const { format, subjects, index, scope, checksNotRun } = await readScan(toBytes(report))
  return {
    format,
    subjects,
    scope,
    checksNotRun,
    showFingerprints: (shown) => shown,
    index: { ...index, records: sortRecords(index.records) },
    names: () => namesOfRun(format, index),
    details: async (block) => zstdDecompressSync(index.details[block]!),
  }
}
