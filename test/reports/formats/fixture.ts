import { readFileSync } from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'
import type { ReportFormat } from '../../../src/contract/scan-finding.ts'
import { ReltError } from '../../../src/errors.ts'
import { namesOfRun } from '../../../src/reports/cluster-names.ts'
import { compareRuns } from '../../../src/reports/compare.ts'
import { sortRecords } from '../../../src/reports/finding-records.ts'
import { readScan } from '../../../src/reports/formats/index.ts'
import type { RunFindings } from '../../../src/reports/run-findings.ts'
import type { Scan } from '../../../src/reports/scan.ts'

export const fixtureNames = [
  'kube-bench',
  'kubescape',
  'kubescape-operator',
  'kubescape-manifest',
  'polaris',
  'policy-report',
  'popeye-sanitizers',
  'popeye-sections',
  'sarif',
  'trivy-image',
  'trivy-k8s-all',
  'trivy-k8s-summary',
  'trivy-operator',
  'trivy-compliance',
] as const
export type FixtureName = (typeof fixtureNames)[number]

/** Of KubeBuddy, which has tests of its own: a native report of today, and one of the first generation. */
export const kubebuddyFixtures = ['kubebuddy', 'kubebuddy-first'] as const

/** A report as that scanner writes it. */
export const fixture = (name: FixtureName | (typeof kubebuddyFixtures)[number]): string =>
  readFileSync(new URL(`../../fixtures/formats/${name}.json`, import.meta.url), 'utf8')

export const read = (report: string): Promise<Scan> => readScan(Buffer.from(report))

export const toRun = ({ format, subjects, scope, checksNotRun, index }: Scan): RunFindings => ({
  format,
  subjects,
  scope,
  checksNotRun,
  index: { ...index, records: sortRecords(index.records) },
  names: () => namesOfRun(format, index),
  showFingerprints: (shown) => shown,
  details: async (block) => zstdDecompressSync(index.details[block]!),
})

/** What comes and goes from one report to another. */
export async function compare(from: string, to: string) {
  return compareRuns(toRun(await read(from)), toRun(await read(to)), async () => new Set())
}

/** Every finding, as `severity check where: what (value)`, sorted. */
export async function toFindings(scan: Scan): Promise<string[]> {
  const run = toRun(scan)
  const empty = { ...run, index: { records: Buffer.alloc(0), checks: [], namespaces: [], suppressed: [] } }
  const found = await compareRuns(empty, run, async () => new Set())
  return [...found.new, ...found.regressed]
    .map(({ severity, check_id, namespace, resource, message, value }) =>
      [severity, check_id, namespace ?? '-', resource ?? '-', '|', message, '|', value ?? '-'].join(' '),
    )
    .sort()
}

/** Undefined when it is refused; anything else that is thrown fails. */
export async function readOrRefuse(report: string | Buffer, format: ReportFormat | null = null) {
  try {
    return await readScan(Buffer.from(report as string), format)
  } catch (error) {
    if (error instanceof ReltError) return undefined
    throw error
  }
}

/** A report of Trivy with so many findings of so many checks. */
export function toReport(checks: number, findings: number): string {
  const rows = Array.from({ length: findings }, (_, i) => `{"RuleID":"${i % checks}"}`)
  return `{"ClusterName":"x","Resources":[{"Kind":"Pod","Results":[{"Target":"x","Secrets":[${rows.join(',')}]}]}]}`
}
