import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { InventoryBuilder } from '../../src/scan/inventory-builder.ts'
import { inventoryKinds as allKinds } from '../../src/scan/inventory-kinds.ts'
import {
  type ClusterState,
  kubescapeResources,
  laterPolicyResources,
  openReports,
  policyResources,
  toKey,
  trivyResources,
  wantedResources,
} from '../helpers/kubernetes/cluster-state.ts'
import { writeKubeconfig } from '../helpers/kubernetes/host.ts'

/** Objects as the API server writes them, with what an inventory looks at. */

interface Metadata {
  labels?: Record<string, string>
  annotations?: Record<string, string>
  namespace?: string
}

interface PodOptions {
  namespace?: string
  /** Whose ReplicaSet made it: its name is without the two last words of the pod's. */
  deployment?: string
  owner?: { kind: string; name: string }
  phase?: string
  imageIds?: string[]
  labels?: Record<string, string>
  annotations?: Record<string, string>
  /** Names of the containers (default: c0, c1, …). */
  containers?: string[]
  node?: string
}

const toContainers = (images: string[], names: string[] = []) =>
  images.map((image, i) => ({ name: names[i] ?? `c${i}`, image }))

export function deployment(name: string, images: string[], metadata: Metadata = {}) {
  return { kind: 'Deployment', metadata: { name, namespace: 'shop', ...metadata }, spec: template(images) }
}

export function cronJob(name: string, images: string[]) {
  return { kind: 'CronJob', metadata: { name, namespace: 'shop' }, spec: { jobTemplate: { spec: template(images) } } }
}

export function job(name: string, images: string[], owner?: string) {
  const ownerReferences = owner ? [{ kind: 'CronJob', name: owner, controller: true }] : []
  return { kind: 'Job', metadata: { name, namespace: 'shop', ownerReferences }, spec: template(images) }
}

export function pod(name: string, images: string[], options: PodOptions = {}) {
  const { namespace = 'shop', phase = 'Running', imageIds = [], deployment } = options
  const hash = deployment && name.slice(deployment.length + 1).split('-')[0]
  const owner = deployment ? { kind: 'ReplicaSet', name: `${deployment}-${hash}` } : options.owner
  return {
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      labels: { ...options.labels, ...(hash && { 'pod-template-hash': hash }) },
      annotations: options.annotations,
      ownerReferences: owner ? [{ ...owner, controller: true }] : [],
    },
    spec: { containers: toContainers(images, options.containers), nodeName: options.node },
    status: { phase, containerStatuses: imageIds.map((imageID, i) => ({ name: `c${i}`, imageID })) },
  }
}

export function node(name: string, info: Record<string, string> = {}) {
  const nodeInfo = {
    osImage: 'Ubuntu 24.04.1 LTS',
    kubeletVersion: 'v1.33.6',
    containerRuntimeVersion: 'containerd://2.3.1',
    architecture: 'amd64',
    ...info,
  }
  return { kind: 'Node', metadata: { name }, status: { nodeInfo } }
}

export function releaseSecret(record: unknown) {
  const packed = gzipSync(JSON.stringify(record)).toString('base64')
  return {
    kind: 'Secret',
    type: 'helm.sh/release.v1',
    metadata: { name: 'sh.helm.release.v1.argocd.v3', namespace: 'shop' },
    data: { release: Buffer.from(packed).toString('base64') },
  }
}

type Lists = Record<string, unknown[]>

/** Adds an object as the list of its kind has it. */
export function takeObject(object: object, builder: InventoryBuilder): void {
  const { kind, apiVersion = '' } = object as { kind?: string; apiVersion?: string }
  const group = apiVersion.split('/').slice(0, -1).join('')
  const source = allKinds.find((one) => one.kind === kind && one.group === group)
  if (source?.read) source.read(object, builder)
  else builder.add(object)
}

/** Kinds of an inventory. */
const inventoryKinds = [
  'namespaces',
  'nodes',
  'pods',
  'replicationcontrollers',
  'customresourcedefinitions.apiextensions.k8s.io',
  ...['deployments', 'replicasets', 'statefulsets', 'daemonsets'].map((plural) => `${plural}.apps`),
  ...['jobs', 'cronjobs'].map((plural) => `${plural}.batch`),
]

/**
 * A cluster of the double of an API server. The account may list the kinds that are here, by `plural` or `plural.group`, and no others;
 * a custom resource that is not here is not installed.
 */
export function writeCluster(
  folder: string,
  lists: Lists,
  more: Partial<ClusterState> & { context?: string } = {},
): void {
  const { context = 'main', ...state } = more
  const named = Object.entries(lists).map(([name, items]) => [withGroup(name), items] as const)
  const groups = new Set(named.map(([key]) => key.split('.').slice(1).join('.')))
  const wanted = wantedResources.filter(({ group }) => groups.has(group))
  const known = [...trivyResources, ...kubescapeResources, ...policyResources, ...laterPolicyResources, ...openReports]
  const cluster: ClusterState = {
    version: 'v1.33.6',
    resources: [...known.filter((resource) => named.some(([key]) => key === toKey(resource))), ...wanted],
    objects: Object.fromEntries(named) as ClusterState['objects'],
    rules: named.map(([key]) => {
      const [plural = '', ...group] = key.split('.')
      return { apiGroups: [group.join('.')], resources: [plural], verbs: ['list'] }
    }),
    ...state,
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${context}.json`), JSON.stringify(cluster))
  writeKubeconfig(folder)
}

/** A cluster of which an inventory is complete. */
export const wholeCluster = (lists: Lists = {}): Lists => ({
  ...Object.fromEntries(inventoryKinds.map((key) => [key, []])),
  ...Object.fromEntries(Object.entries(lists).map(([name, items]) => [withGroup(name), items])),
})

/** `deployments` → `deployments.apps`. */
const withGroup = (name: string): string => inventoryKinds.find((key) => key.split('.')[0] === name) ?? name

const template = (images: string[]) => ({ template: { spec: { containers: toContainers(images) } } })
