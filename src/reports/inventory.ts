import type { Inventory } from '../contract/cluster-report.ts'
import { defined } from '../util/defined.ts'
import type { Artifacts } from './artifact.ts'

/** The artifacts to upload with a report. Images named only by findings are in the report itself. */
export function toInventory(artifacts: Artifacts): Inventory {
  const { images, charts, apps, owners, ownerLabels, nodes, wanted } = artifacts
  const { apis, unread, gaps, imageSource } = artifacts
  return defined({
    images: (imageSource === 'artifacts' ? images : []).map(toImage),
    helmCharts: charts.map(toChart),
    apps,
    gaps,
    unread,
    apis,
    wanted: wanted?.map(({ release, ...one }) => ({ ...one, releaseName: release })),
    nodes: nodes?.map(({ name, os, runtime, kubelet, ...offering }) => ({
      name,
      osImage: os,
      ...offering,
      containerRuntimeVersion: runtime,
      kubeletVersion: kubelet,
    })),
    ownerLabels: ownerLabels?.map(({ namespace, workload, owner }) => ({
      namespace,
      ...splitWorkload(workload),
      owner,
    })),
    owners: owners?.map(toOwner),
  })
}

type Row<K extends keyof Artifacts> = NonNullable<Artifacts[K]> extends readonly (infer T)[] ? T : never

const toImage = ({ reference, namespace, workload, helmChart, helmRelease, spec }: Row<'images'>) => ({
  fullRef: reference,
  namespace,
  ...splitWorkload(workload),
  helmChartName: helmChart,
  helmReleaseName: helmRelease,
  ...(spec !== undefined && { specDigest: spec }),
})

const toChart = ({ name, version, appVersion, release, namespace, workload }: Row<'charts'>) => ({
  name,
  version,
  appVersion,
  releaseName: release,
  releaseNamespace: namespace,
  ...splitWorkload(workload),
})

function toOwner({ namespace, resource, owner }: Row<'owners'>) {
  const [object, top] = [splitWorkload(resource), splitWorkload(owner)]
  const of = { kind: object.workloadKind, name: object.workloadName }
  return { namespace, ...of, ownerKind: top.workloadKind, ownerName: top.workloadName }
}

/** Splits `deployment/web`. */
function splitWorkload(workload: string | null): { workloadKind?: string; workloadName?: string } {
  const at = workload?.indexOf('/') ?? -1
  return workload === null || at < 0
    ? {}
    : { workloadKind: workload.slice(0, at), workloadName: workload.slice(at + 1) }
}
