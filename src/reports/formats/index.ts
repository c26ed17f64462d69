import { reportFormats } from '../../contract/choices.ts'
import type { ReportFormat } from '../../contract/scan-finding.ts'
import { invalidParams } from '../../errors.ts'
import type { OwnerLink } from '../artifact.ts'
import type { Scan } from '../scan.ts'
import { readKubebuddy } from './kubebuddy/read.ts'
import { type NamedFormat, recognise } from './recognise.ts'

/** Readers are loaded on demand. */
const readers: Record<ReportFormat, () => Promise<(bytes: Uint8Array, owners?: OwnerLink[]) => Scan>> = {
  kubebuddy: async () => readKubebuddy,
  trivy: async () => (await import('./trivy/read.ts')).readTrivy,
  kubescape: async () => (await import('./kubescape/read.ts')).readKubescape,
  popeye: async () => (await import('./popeye/read.ts')).readPopeye,
  polaris: async () => (await import('./polaris/read.ts')).readPolaris,
  'kube-bench': async () => (await import('./kube-bench/read.ts')).readKubeBench,
  sarif: async () => (await import('./sarif/read.ts')).readSarif,
  'policy-report': async () => (await import('./policy-report/read.ts')).readPolicyReport,
  inventory: async () => (await import('./inventory.ts')).readInventory,
  unknown: async () => (await import('./unknown.ts')).readUnknown,
}

/**
 * Reads a report of any scanner; `owners` are from an inventory uploaded with it. Throws `invalid_json` or `invalid_param`.
 */
export async function readScan(bytes: Uint8Array, format?: ReportFormat | null, owners?: OwnerLink[]) {
  const read = await readers[format ?? recogniseOrRefuse(bytes)]()
  return read(bytes, owners)
}

/** The scanner of a report. Throws `invalid_json`, or `invalid_param` that says what the document is. */
export function recogniseOrRefuse(bytes: Uint8Array): NamedFormat {
  const { format, foreign } = recognise(bytes)
  if (format) return format
  const known = reportFormats.join(', ')
  if (!foreign) throw invalidParams({ report: `is of no known shape; known are the JSON reports of ${known}` })
  const instead = foreign.instead ? `the output of \`${foreign.instead}\`` : `a JSON report of ${known}`
  throw invalidParams({ report: `is ${foreign.name}, not a scan report. Upload ${instead}` })
}
