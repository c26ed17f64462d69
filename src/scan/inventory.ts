import type { UsedApi } from '../reports/artifact.ts'
import type { InventoryOwnerLabel } from './owner-label.ts'
import type { InventoryOwner } from './owners.ts'
import type { InventoryWanted } from './wanted.ts'

/** Running artifacts of a cluster, in the format of the scanner's own reports. */
export interface ScannedInventory {
  images: InventoryImage[]
  helmCharts: InventoryChart[]
  /** Pods and the objects between them and their workload, each with its controller. */
  owners: InventoryOwner[]
  /** Owners by labels; absent if no label names one. */
  ownerLabels?: InventoryOwnerLabel[]
  /** Absent if nodes could not be read. */
  nodes?: InventoryNode[]
  /** Charts that GitOps objects ask for; absent if there are none. */
  wanted?: InventoryWanted[]
  /** API versions in use; absent if none is known. */
  apis?: UsedApi[]
  /** Sources that could not be read although the cluster has them. */
  unread?: { source: string; reason: string }[]
  /** Kinds that could not be read, one sentence each; absent if all were read. */
  gaps?: string[]
}

/** `nodeInfo` of a node, with the managed offering by its labels. */
export interface InventoryNode {
  name: string
  osImage: string | null
  containerRuntimeVersion: string | null
  kubeletVersion: string | null
  offering?: string
}

/** A container image of a workload; `null` means unknown. */
export interface InventoryImage {
  /** Reference as in the pod. */
  fullRef: string
  name: string
  tag: string | null
  /** `sha256:…`, from the status of a running pod or from the reference. */
  digest: string | null
  namespace: string
  /** The object that users edit: the top of the chain of controllers. */
  workloadKind: string
  workloadName: string
  containerName: string
  managedByHelm: boolean
  helmChartName: string | null
  helmReleaseName: string | null
  managedBy: string | null
  toPart: string | null
  /** Digest of the pod template, if the workload is listed. */
  specDigest?: string
}

export interface InventoryChart {
  name: string
  version: string
  /** The version of its app, as the release's record states it. */
  appVersion?: string | undefined
  releaseName: string | null
  releaseNamespace: string
  /** An example workload of the chart; the release's own record names none. */
  workloadKind: string | null
  workloadName: string | null
}

/** More than any cluster has; further ones are omitted with a warning. */
export const maxImages = 50_000
export const maxOwners = 200_000
export const maxNodes = 20_000
