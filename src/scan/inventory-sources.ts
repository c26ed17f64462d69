import { isObject } from '../util/json.ts'
import { findApiGroup, listGroups } from './api-group.ts'
import type { FailedList } from './equal-reasons.ts'
import type { InventoryBuilder } from './inventory-builder.ts'
import { type Kubectl, mayList } from './kubectl.ts'
import { listKind } from './list-kind.ts'
import {
  readApplication,
  readApplicationSet,
  readSource as readChartSource,
  readFluxChart,
  readHelmChart,
  readHelmRelease,
  readKustomization,
} from './wanted.ts'

/** A kind other than workloads. It is requested only if the cluster has it and the account may list it. */
interface InventorySource {
  /** API group; empty for the core group. */
  group: string
  /** Fallback if the API server states no preferred version. */
  version: string
  plural: string
  kind: string
  /** Extracts the data of an object for the inventory. */
  read: (item: unknown, builder: InventoryBuilder) => void
}

/** The table of sources. `agent/units/rbac.ts` has a rule for each. */
const inventorySources: InventorySource[] = [
  // A node lists its images, so each is large.
  of('', 'v1', 'nodes Node', (item, builder) => builder.addNode(item)),
  // Their labels may name owners.
  of('', 'v1', 'namespaces Namespace', (item, builder) => builder.addNamespace(item)),
  of('argoproj.io', 'v1alpha1', 'applications Application', (item, { wanted }) => wanted.add(readApplication(item))),
  of('argoproj.io', 'v1alpha1', 'applicationsets ApplicationSet', (item, { wanted }) =>
    wanted.add(readApplicationSet(item)),
  ),
  of('helm.toolkit.fluxcd.io', 'v2', 'helmreleases HelmRelease', (item, { wanted }) =>
    wanted.add(readHelmRelease(item)),
  ),
  of('kustomize.toolkit.fluxcd.io', 'v1', 'kustomizations Kustomization', (item, { wanted }) =>
    wanted.add(readKustomization(item)),
  ),
  ...['helmrepositories HelmRepository', 'ocirepositories OCIRepository', 'gitrepositories GitRepository'].map(
    (names) =>
      of('source.toolkit.fluxcd.io', 'v1', names, (item, { wanted }, kind) =>
        wanted.addSource(readChartSource(kind, item)),
      ),
  ),
  of('source.toolkit.fluxcd.io', 'v1', 'helmcharts HelmChart', (item, { wanted }) =>
    wanted.addSource(readFluxChart(item)),
  ),
  of('apiextensions.k8s.io', 'v1', 'customresourcedefinitions CustomResourceDefinition', (item, { apis }) =>
    apis.addDefinition(item),
  ),
  of('helm.cattle.io', 'v1', 'helmcharts HelmChart', (item, { wanted }) => wanted.add(readHelmChart(item))),
]

function of(
  group: string,
  version: string,
  names: string,
  read: (item: unknown, builder: InventoryBuilder, kind: string) => void,
): InventorySource {
  const [plural = '', kind = ''] = names.split(' ')
  return { group, version, plural, kind, read: (item, builder) => read(item, builder, kind) }
}

/** Adds an object of a saved list if it belongs to a source. */
export function takeObject(item: unknown, builder: InventoryBuilder): boolean {
  if (!isObject(item) || typeof item.apiVersion !== 'string') return false
  const [group = '', version] = item.apiVersion.split('/')
  const source = inventorySources.find(
    (one) => one.kind === item.kind && one.group === (version === undefined ? '' : group),
  )
  if (!source) return false
  source.read(item, builder)
  builder.noteSource(toName(source))
  return true
}

/** Returns the sources that the cluster has but that could not be read. */
export async function readSources(kubectl: Kubectl, builder: InventoryBuilder) {
  const unread: FailedList[] = []
  const installed = await listGroups(kubectl)
  const groups = new Map<string, ReturnType<typeof findApiGroup>>()
  for (const source of inventorySources) {
    const { group, plural } = source
    if (group !== '' && installed?.has(group) === false) continue
    if (group !== '' && !groups.has(group)) groups.set(group, findApiGroup(kubectl, group, source.version))
    const found = group === '' ? source : await groups.get(group)
    if (!found || ('resources' in found && found.resources?.has(plural) === false)) continue
    const name = toName(source)
    const why = await readSource(kubectl, { ...source, version: found.version }, builder)
    if (why === undefined) builder.noteSource(name)
    else unread.push({ name, reason: why })
  }
  return unread
}

/** `nodes`, `applications.argoproj.io`. */
const toName = ({ group, plural }: InventorySource) => (group === '' ? plural : `${plural}.${group}`)

async function readSource(kubectl: Kubectl, source: InventorySource, builder: InventoryBuilder) {
  const { group, version, plural, kind, read } = source
  if (!(await mayList(kubectl, toName(source)))) return `The account may not list ${toName(source)}.`
  const path = group === '' ? `/api/${version}/${plural}` : `/apis/${group}/${version}/${plural}`
  // An object that is listed again after a restart replaces its earlier version.
  const served = group === '' ? version : `${group}/${version}`
  return listKind(kubectl, { path, pageSize: 50 }, () => (item) => {
    read(item, builder)
    builder.apis.addObject(item, kind, served)
  })
}
