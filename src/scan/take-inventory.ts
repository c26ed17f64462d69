import { ReltError } from '../errors.ts'
import type { KubeCluster } from '../kube/cluster.ts'
import { listKind, mayList, nameOfKind } from '../kube/list-kind.ts'
import { discover, type ServedResources } from '../kube/resources.ts'
import { readServerVersion } from '../kube/server-version.ts'
import type { InventoryHead } from '../reports/formats/inventory.ts'
import { isObject } from '../util/json.ts'
import { saveMemory } from '../util/release-memory.ts'
import { formatTimestamp, type UnixSeconds } from '../util/time.ts'
import type { ApiUses } from './api-use.ts'
import { equalReasons, type FailedList } from './equal-reasons.ts'
import { readRelease } from './helm-release.ts'
import { maxImages, maxOwners, type ScannedInventory } from './inventory.ts'
import { InventoryBuilder } from './inventory-builder.ts'
import { type InventoryKind, inventoryKinds } from './inventory-kinds.ts'
import { type KubernetesObject, readObject } from './kubernetes-object.ts'
import type { Running } from './running.ts'

export interface InventoryOptions {
  excludedNamespaces?: string[] | undefined
  /** The only namespaces to read (default: all; where these may not be listed, what the account may read). */
  namespaces?: string[] | undefined
  /** Query the API server's metrics for requests to deprecated APIs; needs an additional role. */
  deprecatedApis?: boolean | undefined
}

export interface TakenInventory {
  inventory: ScannedInventory
  running: Running
  /** Why the inventory is incomplete. */
  gap: string | undefined
  /** Failed queries, one sentence each. */
  warnings: string[]
  kubernetesVersion: string | undefined
  /** Undefined in a pod. */
  context: string | undefined
  /** The only namespaces that were read. */
  namespaces: string[] | undefined
  /** Kinds that were read. */
  read: string[]
}

/** A kind that the cluster has and that was not read. */
interface UnreadKind extends FailedList {
  kind: InventoryKind
}

const pageSize = 100
/** A node lists its images, and a custom resource may be large. */
const sourcePageSize = 50
const atOnce = 4

/**
 * Reads what runs in a cluster. A kind without read permission is omitted with a warning. Throws `scan_failed` if nothing could
 * be read, and `cancelled`.
 */
export async function takeInventory(cluster: KubeCluster, options: InventoryOptions): Promise<TakenInventory> {
  const { excludedNamespaces, deprecatedApis } = options
  saveMemory()
  const builder = new InventoryBuilder(excludedNamespaces)
  const kubernetesVersion = await readServerVersion(cluster)
  const served = await discover(
    cluster,
    inventoryKinds.map(({ group }) => group),
  )
  const namespaces = options.namespaces ?? (await findNamespaces(cluster, served))
  const [unread, why] = await Promise.all([
    readKinds({ cluster, served, namespaces, builder }),
    deprecatedApis ? readDeprecatedApis(cluster, builder.apis) : undefined,
    readReleases(cluster, builder, namespaces),
  ])
  const [workloads, sources] = [unread.filter(({ kind }) => !kind.read), unread.filter(({ kind }) => kind.read)]
  const warnings = toWarnings(workloads)
  if (workloads.length === inventoryKinds.filter(({ read }) => !read).length) {
    throw new ReltError('scan_failed', 'Nothing could be read for the inventory.', {
      hint: 'Check what your account may list, and read some namespaces only with --namespaces.',
      output: warnings,
    })
  }
  const others: FailedList[] = why === undefined ? sources : [...sources, { name: 'deprecated APIs', reason: why }]
  if (namespaces && !options.namespaces) {
    warnings.push(
      `Only ${namespaces.join(', ')} could be read: listing pods in all namespaces is forbidden. Name more with --namespaces.`,
    )
  }
  const found = builder.finish()
  if (builder.isFull) warnings.push(`The inventory is cut off after ${maxImages} images and ${maxOwners} owners.`)
  const [gap] = warnings
  const inventory = {
    ...found,
    ...(others.length > 0 && { unread: others.map(({ name, reason }) => ({ source: name, reason })) }),
    ...(gap !== undefined && { gaps: warnings }),
  }
  return {
    inventory,
    running: builder.running,
    gap,
    warnings: [...warnings, ...toWarnings(others)],
    kubernetesVersion,
    context: cluster.target.context,
    namespaces,
    read: builder.sources(),
  }
}

/** An inventory as a report of its own. */
export function toReport(
  { inventory, kubernetesVersion, namespaces, read }: TakenInventory,
  { at, noChecks, excludedNamespaces = [] }: { at: UnixSeconds; noChecks: string } & InventoryOptions,
): Buffer {
  const head: InventoryHead = {
    taken_at: formatTimestamp(at),
    kubernetes_version: kubernetesVersion,
    read,
    namespaces,
    excluded_namespaces: excludedNamespaces,
    no_checks: noChecks,
  }
  return Buffer.from(JSON.stringify({ inventory: head, ...inventory }))
}

const toWarnings = (failures: FailedList[]) =>
  equalReasons(failures).map(({ names, reason }) => `The inventory has no ${names.join(', ')}: ${reason}`)

interface Reading {
  cluster: KubeCluster
  served: ServedResources
  /** Undefined: all. */
  namespaces: string[] | undefined
  builder: InventoryBuilder
}

/** The namespaces that an account may read, if it may not list pods in all of them. */
async function findNamespaces(cluster: KubeCluster, served: ServedResources): Promise<string[] | undefined> {
  const pods = { group: '', plural: 'pods' }
  if ((await mayList(cluster, pods)) !== false) return undefined
  const projects: string[] = []
  // OpenShift lists the projects of an account.
  const version = served.versionOf(openShiftProjects)
  if (version !== undefined) {
    await listKind(cluster, { ...openShiftProjects, version, pageSize }, () => (item) => {
      const name = isObject(item) && isObject(item.metadata) ? item.metadata.name : undefined
      if (typeof name === 'string') projects.push(name)
    })
  }
  if (projects.length > 0) return projects
  const { namespace } = cluster.target
  return (await mayList(cluster, { ...pods, namespace })) === false ? undefined : [namespace]
}

const openShiftProjects = { group: 'project.openshift.io', plural: 'projects' }

/** Returns the kinds that the cluster has but that could not be read, in the order of the table. */
async function readKinds(reading: Reading): Promise<UnreadKind[]> {
  const unread: UnreadKind[] = []
  const waiting = inventoryKinds.values()
  const work = async () => {
    // Parallel loops share this queue of kinds.
    for (const kind of waiting) {
      const failure = await readKind(reading, kind)
      if (failure) unread.push({ kind, name: nameOfKind(kind), reason: failure.why })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return unread.sort((a, b) => inventoryKinds.indexOf(a.kind) - inventoryKinds.indexOf(b.kind))
}

async function readKind({ cluster, served, namespaces, builder }: Reading, kind: InventoryKind) {
  const { group, plural, read } = kind
  const isBuiltIn = ['', 'apps', 'batch'].includes(group)
  const version = isBuiltIn ? 'v1' : served.versionOf(kind)
  if (version === undefined) return served.failure
  const servedAs = group === '' ? version : `${group}/${version}`
  const objects: KubernetesObject[] = []
  for (const namespace of kind.isClusterWide ? [undefined] : (namespaces ?? [undefined])) {
    const start = objects.length
    const address = { group, version, plural, namespace, pageSize: read ? sourcePageSize : pageSize }
    const failure = await listKind(cluster, address, () => {
      objects.length = start
      return (item) => {
        builder.apis.addObject(item, kind.kind, servedAs)
        // An object that is listed again after a restart replaces its earlier version.
        if (read) return read(item, builder)
        const object = readObject(item, kind.kind)
        if (object) objects.push(object)
      }
    })
    if (failure) return failure.state === 'missing' && plural !== 'pods' ? undefined : failure
  }
  for (const object of objects) builder.addObject(object)
  builder.noteSource(nameOfKind(kind))
  return undefined
}

/** Reads which deprecated APIs were requested since the API server started. Returns why it could not. */
async function readDeprecatedApis(cluster: KubeCluster, apis: ApiUses) {
  const answer = await cluster.ask('/metrics', { accept: 'text/plain' })
  if ('why' in answer) return answer.why
  for (const line of answer.body.toString('latin1').split('\n')) apis.addMetric(line)
  return undefined
}

/**
 * Most users may not read secrets, and should not, so this is no warning. Labels provide most of the data.
 */
async function readReleases(cluster: KubeCluster, builder: InventoryBuilder, namespaces: string[] | undefined) {
  const labelSelector = 'owner=helm,status=deployed'
  const core = { group: '', version: 'v1' }
  const kinds = { secrets: { fieldSelector: 'type=helm.sh/release.v1', labelSelector }, configmaps: { labelSelector } }
  for (const [plural, query] of Object.entries(kinds)) {
    for (const namespace of namespaces ?? [undefined]) {
      await listKind(cluster, { ...core, plural, namespace, query, pageSize: sourcePageSize }, () => (record) => {
        const release = readRelease(record)
        if (release) builder.addRelease(release)
      })
    }
  }
}
