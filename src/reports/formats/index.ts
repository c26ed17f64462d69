import type { ReportFormat } from '../../contract/cluster-report.ts'
import type { Scan } from '../scan.ts'
import { readKubebuddy } from './kubebuddy/read.ts'
import { recogniseFormat, unknownFormat } from './recognise.ts'

type ReadScan = (bytes: Uint8Array) => Scan

/** A reader loads when a report of its scanner comes. */
const readers: Record<ReportFormat, () => Promise<ReadScan>> = {
  kubebuddy: async () => readKubebuddy,
  trivy: async () => (await import('./trivy/read.ts')).readTrivy,
  kubescape: async () => (await import('./kubescape/read.ts')).readKubescape,
  popeye: async () => (await import('./popeye/read.ts')).readPopeye,
  polaris: async () => (await import('./polaris/read.ts')).readPolaris,
  'kube-bench': async () => (await import('./kube-bench/read.ts')).readKubeBench,
  sarif: async () => (await import('./sarif/read.ts')).readSarif,
}

/** Reads the report of any scanner. Throws `invalid_json` or `invalid_param`. */
export async function readScan(bytes: Uint8Array, format: ReportFormat | 'auto'): Promise<Scan> {
  const known = format === 'auto' ? recogniseFormat(bytes) : format
  if (!known) throw unknownFormat()
  const read = await readers[known]()
  return read(bytes)
}
