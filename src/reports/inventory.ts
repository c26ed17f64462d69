import type { Inventory } from '../contract/cluster-report.ts'
import type { Artifacts, DefinedResource } from './artifact.ts'

/** Artifacts as an upload carries them beside its report. Images that only findings name are in the report itself. */
export function toInventory({
  images,
  charts,
  apps,
  owners,
  ownerLabels,
  nodes,
  wanted,
  apis,
  customResources,
  clusterProfiles,
  unread,
  gaps,
  imageSource,
}: Artifacts): Inventory {
  return {
    images: (imageSource === 'artifacts' ? images : []).map(
      ({ reference, namespace, workload, helmChart, helmRelease }) => ({
        fullRef: reference,
        namespace,
        ...splitWorkload(workload),
        helmChartName: helmChart,
        helmReleaseName: helmRelease,
      }),
    ),
    helmCharts: charts.map(({ name, version, release, namespace, workload }) => ({
      name,
      version,
      releaseName: release,
      releaseNamespace: namespace,
      ...splitWorkload(workload),
    })),
    apps: apps.map(({ name, version, namespace }) => ({ name, version, namespace })),
    ...(gaps && { gaps }),
    ...(unread && { unread }),
    ...(apis && { apis }),
    ...(clusterProfiles && {
      clusterProfiles: clusterProfiles.map(({ display_name, kubernetes_version, is_healthy, ...one }) => ({
        ...{ ...one, displayName: display_name, kubernetesVersion: kubernetes_version, healthy: is_healthy },
      })),
    }),
    ...(customResources && { customResources: customResources.map(toRow) }),
    ...(wanted && { wanted: wanted.map(({ release, ...one }) => ({ ...one, releaseName: release })) }),
    ...(nodes && {
      nodes: nodes.map(({ name, os, kernel, runtime, kubelet, offering }) => ({
        ...{ name, osImage: os, kernelVersion: kernel, ...(offering !== undefined && { offering }) },
        ...{ containerRuntimeVersion: runtime, kubeletVersion: kubelet },
      })),
    }),
    ...(ownerLabels && {
      ownerLabels: ownerLabels.map(({ namespace, workload, owner }) => ({
        namespace,
        ...splitWorkload(workload),
        owner,
      })),
    }),
    ...(owners && {
      owners: owners.map(({ namespace, resource, owner }) => {
        const [object, top] = [splitWorkload(resource), splitWorkload(owner)]
        const of = { kind: object.workloadKind, name: object.workloadName }
        return { namespace, ...of, ownerKind: top.workloadKind, ownerName: top.workloadName }
      }),
    }),
  }
}

const toRow = ({ chart, release, controller, ...one }: DefinedResource) => ({
  ...one,
  ...(chart && { chartName: chart.name, chartVersion: chart.version }),
  ...(release && { releaseName: release.name, releaseNamespace: release.namespace }),
  ...(controller && { controller: controller.name, controllerVersion: controller.version }),
})

/** `deployment/web`. */
function splitWorkload(workload: string | null): { workloadKind?: string; workloadName?: string } {
  const at = workload?.indexOf('/') ?? -1
  return workload === null || at < 0
    ? {}
    : { workloadKind: workload.slice(0, at), workloadName: workload.slice(at + 1) }
}
