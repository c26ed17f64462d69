import type { OwnerLabel } from '../contract/ownership.ts'
import type { ReportFormat } from '../contract/scan-finding.ts'
import type { ImageArtifact, OwnerLink } from './artifact.ts'
import type { ClusterNames } from './cluster-names.ts'
import type { FindingIndex } from './finding-index.ts'
import type { Subject } from './ledger.ts'
import type { Scope } from './read.ts'
import type { NotRunCheck } from './scan.ts'

/** What was looked at. */
export interface Look {
  /** What the run is about; a check has the position of its subject. */
  subjects: Subject[]
  scope: Scope
  checksNotRun: NotRunCheck[]
}

/** A run, with the data that comparing needs; a block of details is decompressed only if a finding in it changed. */
export interface RunFindings extends Look {
  format: ReportFormat
  /** Version of the scanner; null: not stated. */
  sourceVersion?: string | null
  index: Pick<FindingIndex, 'records' | 'checks' | 'namespaces' | 'suppressed' | 'places'>
  /** Further subjects of findings that the run did not look at. */
  carriedSubjects?: Subject[] | undefined
  /** What this run and those before it looked at; absent if they looked at no more. */
  known?: Look | undefined
  /** The run that was taken in without what earlier ones read. */
  droppedBy?: string | undefined
  details: (block: number) => Promise<Buffer>
  /** Earlier runs of the same scanner, latest first, for places that this run has no report about. */
  earlier?: () => AsyncIterable<RunFindings>
  /** Names of the cluster that the run contains, made anew. */
  names?: () => ClusterNames
  /** Images that run, if the run has an inventory. */
  images?: ImageArtifact[] | undefined
  /** Chains of controllers, if the run has an inventory. */
  owners?: OwnerLink[] | undefined
  /** Owners by labels. */
  ownerLabels?: OwnerLabel[] | undefined
  /** Converts stored fingerprints (16 bytes each, joined) to the displayed ones. */
  showFingerprints: (stored: Buffer) => Buffer
}
