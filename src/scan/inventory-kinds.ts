import type { InventoryBuilder } from './inventory-builder.ts'
import {
  readApplication,
  readApplicationSet,
  readSource as readChartSource,
  readFluxChart,
  readHelmChart,
  readHelmRelease,
  readKustomization,
} from './wanted.ts'

/** A kind that an inventory reads, if the cluster has it and the account may list it. */
export interface InventoryKind {
  /** API group; empty for the core group. */
  group: string
  plural: string
  kind: string
  /** Objects of the kind are outside of namespaces. */
  isClusterWide?: boolean
  /** Extracts the data of an object; undefined for workloads. */
  read?: (item: unknown, builder: InventoryBuilder) => void
}

/** Without one of these, images are missing. The largest list is requested first. */
const workloads: InventoryKind[] = [
  of('', 'pods Pod'),
  of('apps', 'replicasets ReplicaSet'),
  of('apps', 'deployments Deployment'),
  of('apps', 'statefulsets StatefulSet'),
  of('apps', 'daemonsets DaemonSet'),
  of('batch', 'cronjobs CronJob'),
  of('batch', 'jobs Job'),
  of('', 'replicationcontrollers ReplicationController'),
]

const sources: InventoryKind[] = [
  // A node lists its images, so each is large.
  { ...of('', 'nodes Node', (item, builder) => builder.addNode(item)), isClusterWide: true },
  // Their labels may name owners.
  { ...of('', 'namespaces Namespace', (item, builder) => builder.addNamespace(item)), isClusterWide: true },
  of('argoproj.io', 'applications Application', (item, { wanted }) => wanted.add(readApplication(item))),
  of('argoproj.io', 'applicationsets ApplicationSet', (item, { wanted }) => wanted.add(readApplicationSet(item))),
  of('helm.toolkit.fluxcd.io', 'helmreleases HelmRelease', (item, { wanted }) => wanted.add(readHelmRelease(item))),
  of('kustomize.toolkit.fluxcd.io', 'kustomizations Kustomization', (item, { wanted }) =>
    wanted.add(readKustomization(item)),
  ),
  ...['helmrepositories HelmRepository', 'ocirepositories OCIRepository', 'gitrepositories GitRepository'].map(
    (names) =>
      of('source.toolkit.fluxcd.io', names, (item, { wanted }, kind) => wanted.addSource(readChartSource(kind, item))),
  ),
  of('source.toolkit.fluxcd.io', 'helmcharts HelmChart', (item, { wanted }) => wanted.addSource(readFluxChart(item))),
  {
    ...of('apiextensions.k8s.io', 'customresourcedefinitions CustomResourceDefinition', (item, { apis }) =>
      apis.addDefinition(item),
    ),
    isClusterWide: true,
  },
  of('helm.cattle.io', 'helmcharts HelmChart', (item, { wanted }) => wanted.add(readHelmChart(item))),
]

/** The table of kinds. `agent/units/rbac.ts` has a rule for each. */
export const inventoryKinds: readonly InventoryKind[] = [...workloads, ...sources]

function of(
  group: string,
  names: string,
  read?: (item: unknown, builder: InventoryBuilder, kind: string) => void,
): InventoryKind {
  const [plural = '', kind = ''] = names.split(' ')
  return { group, plural, kind, ...(read && { read: (item, builder) => read(item, builder, kind) }) }
}
