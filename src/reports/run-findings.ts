import type { ReportFormat } from '../contract/scan-finding.ts'
import type { OwnerLabel, OwnerLink } from './artifact.ts'
import type { ClusterNames } from './cluster-names.ts'
import type { FindingIndex } from './finding-index.ts'
import type { Scope } from './read.ts'
import type { NotRunCheck } from './scan.ts'

/** A run as comparing needs it; a block of details is opened only when some finding in it has changed. */
export interface RunFindings {
  format: ReportFormat
  /** Of the scanner; null: not stated. */
  sourceVersion?: string | null
  index: Pick<FindingIndex, 'records' | 'checks' | 'namespaces' | 'suppressed' | 'places'>
  scope: Scope
  checksNotRun: NotRunCheck[]
  details: (block: number) => Promise<Buffer>
  /** Runs of the same scanner before this one, the latest first, for what this one has no report about. */
  earlier?: () => AsyncIterable<RunFindings>
  /** Fingerprints by older rules, in hex, of a stored one. */
  earlierOf?: (stored: Buffer) => string[] | undefined
  /** Names of the cluster as the run knows them. */
  names?: () => ClusterNames
  /** Who owns what, if the run has an inventory. */
  owners?: OwnerLink[] | undefined
  /** Who is responsible by labels. */
  ownerLabels?: OwnerLabel[] | undefined
  /** The fingerprints of records (16 bytes each, joined) as the interface shows them. */
  showFingerprints: (stored: Buffer) => Buffer
}
