import type { InventoryApi } from './api-use.ts'
import type { InventoryClusterProfile } from './cluster-profile.ts'
import type { InventoryCustomResource } from './custom-resource.ts'
import type { InventoryOwnerLabel } from './owner-label.ts'
import type { InventoryOwner } from './owners.ts'
import type { InventoryWanted } from './wanted.ts'

/** Running artifacts of a cluster, in the form of the scanner's own reports. */
export interface ScannedInventory {
  images: InventoryImage[]
  helmCharts: InventoryChart[]
  /** Pods and what is between them and their workload, each with its controller. */
  owners: InventoryOwner[]
  /** Who is responsible by labels; absent when no label says so. */
  ownerLabels?: InventoryOwnerLabel[]
  /** Absent when they could not be read. */
  nodes?: InventoryNode[]
  /** What git wants; absent when nothing does. */
  wanted?: InventoryWanted[]
  /** API versions in use; absent when none is known. */
  apis?: InventoryApi[]
  /** Absent when the definitions could not be read. */
  customResources?: InventoryCustomResource[]
  /** Clusters of the fleet; absent when the cluster is no hub. */
  clusterProfiles?: InventoryClusterProfile[]
  /** Sources that could not be read although the cluster has them. */
  unread?: { source: string; reason: string }[]
  /** Kinds that could not be read, a sentence each; absent when everything was. */
  gaps?: string[]
}

/** `nodeInfo` of a node, with the offering that its labels name. */
export interface InventoryNode {
  name: string
  osImage: string | null
  kernelVersion: string | null
  containerRuntimeVersion: string | null
  kubeletVersion: string | null
  offering?: string
}

/** A container image of a workload; `null` means unknown. */
export interface InventoryImage {
  /** As the pod says it. */
  fullRef: string
  name: string
  tag: string | null
  /** `sha256:…`, from the status of a running pod or from the reference. */
  digest: string | null
  namespace: string
  /** What a person edits: the top of the chain of controllers. */
  workloadKind: string
  workloadName: string
  containerName: string
  managedByHelm: boolean
  helmChartName: string | null
  helmReleaseName: string | null
  managedBy: string | null
  toPart: string | null
}

export interface InventoryChart {
  name: string
  version: string
  releaseName: string | null
  releaseNamespace: string
  /** A workload of the chart, as an example; the release's own record names none. */
  workloadKind: string | null
  workloadName: string | null
}

/** More than any cluster has; what comes after is left out with a warning. */
export const maxImages = 50_000
export const maxOwners = 200_000
export const maxNodes = 20_000
