import { random } from '../made-cluster.ts'

/** A Kubernetes object with the fields that the scanner and the inventory read. */
export interface KubeObject {
  apiVersion: string
  kind: string
  metadata: Metadata
  [field: string]: unknown
}

interface Metadata {
  name: string
  namespace?: string
  uid: string
  creationTimestamp: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  ownerReferences?: object[]
}

const alphabet = {
  safe: 'bcdfghjklmnpqrstvwxz2456789',
  hex: '0123456789abcdef',
  low: 'abcdefghijklmnopqrstuvwxyz0123456789',
  digit: '0123456789',
  crockford: '0123456789abcdefghjkmnpqrstvwxyz',
}

/** Draws a string, or one of a list. */
export interface Draw {
  (letters: keyof typeof alphabet, length: number): string
  of: <T>(list: readonly T[]) => T
  below: (limit: number) => number
}

/** Draws that depend on `seed` alone. */
export function drawing(seed: string): Draw {
  const next = random(seed)
  const below = (limit: number) => Math.floor(next() * limit)
  const draw = (letters: keyof typeof alphabet, length: number) =>
    Array.from({ length }, () => alphabet[letters][below(alphabet[letters].length)]).join('')
  return Object.assign(draw, { below, of: <T>(list: readonly T[]) => list[below(list.length)]! })
}

export const uuid = (draw: Draw): string => [8, 4, 4, 4, 12].map((length) => draw('hex', length)).join('-')

/** What a controller knows on a day. */
export interface At {
  /** 1, 2, 3 … */
  day: number
  /** Midnight of the day, Unix seconds. */
  midnight: number
  /** Differs each day. */
  draw: Draw
  /** The same each day. */
  kept: Draw
  /** Some stay, others are replaced each day. */
  nodes: string[]
  namespace: string
}

/** `20261128`. */
export const dated = ({ midnight }: At): string =>
  new Date(midnight * 1000).toISOString().slice(0, 10).replaceAll('-', '')

/** What a pod is made from. */
export interface Template {
  image: string
  container?: string
  /** Names of further containers. */
  sidecars?: string[]
  account?: string
  labels?: Record<string, string>
  privileged?: boolean
  hostNetwork?: boolean
  hostPID?: boolean
  hostPath?: string
  /** Fulfils the checks of security contexts. */
  isSecure?: boolean
  hasRequests?: boolean
  hasProbes?: boolean
}

interface Owner {
  kind: string
  name: string
  /** An owner that is no controller: default false. */
  isPlain?: boolean
}

export interface PodOptions {
  owner?: Owner
  phase?: 'Running' | 'Succeeded' | 'Failed' | 'Pending'
  /** Why its container waits, such as `CrashLoopBackOff`. */
  waiting?: string
  restarts?: number
  ageDays?: number
  annotations?: Record<string, string>
  node?: string
}

export const object = (
  at: At,
  kind: string,
  name: string,
  {
    owner,
    labels,
    ...fields
  }: { owner?: Owner | undefined; labels?: Record<string, string>; [field: string]: unknown } = {},
): KubeObject => ({
  apiVersion: apiVersions[kind] ?? 'v1',
  kind,
  metadata: {
    name,
    ...(!clusterScoped.has(kind) && { namespace: at.namespace }),
    uid: uuid(drawing(`${kind}/${name}`)),
    creationTimestamp: timeOf(at, 0.2),
    ...(labels && { labels }),
    ...(owner && { ownerReferences: [reference(owner)] }),
  },
  ...fields,
})

const clusterScoped = new Set(['Node', 'Namespace', 'ClusterRole', 'ClusterRoleBinding', 'PersistentVolume'])
const rbac = 'rbac.authorization.k8s.io/v1'
const apiVersions: Record<string, string> = {
  ...{ Deployment: 'apps/v1', ReplicaSet: 'apps/v1', StatefulSet: 'apps/v1', DaemonSet: 'apps/v1' },
  ...{ Job: 'batch/v1', CronJob: 'batch/v1' },
  ...{ Role: rbac, RoleBinding: rbac, ClusterRole: rbac, ClusterRoleBinding: rbac },
}

const reference = ({ kind, name, isPlain = false }: Owner) => ({
  apiVersion: apiVersions[kind] ?? 'example.com/v1',
  kind,
  name,
  uid: uuid(drawing(`${kind}/${name}`)),
  ...(!isPlain && { controller: true }),
})

const timeOf = ({ midnight }: At, ageDays: number): string =>
  `${new Date((midnight + 43_200 - ageDays * 86_400) * 1000).toISOString().slice(0, 19)}Z`

const probe = (path: string) => ({ httpGet: { path, port: 8080 } })

export function podSpec(template: Template, node?: string) {
  const { image, container = 'main', sidecars = [], account, privileged, hostPath, isSecure, hasRequests } = template
  const securityContext = isSecure
    ? {
        ...{ runAsNonRoot: true, runAsUser: 1000, readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
        ...{ capabilities: { drop: ['ALL'] }, seccompProfile: { type: 'RuntimeDefault' } },
      }
    : privileged && { privileged: true }
  const amount = { cpu: '100m', memory: '128Mi' }
  const toContainer = (name: string) => ({
    name,
    image: name === container ? image : `registry.example.com/${name}:1.4.2`,
    ...(securityContext && { securityContext }),
    ...(hasRequests && { resources: { requests: amount, limits: amount } }),
    ...(template.hasProbes && { readinessProbe: probe('/ready'), livenessProbe: probe('/live') }),
  })
  return {
    containers: [container, ...sidecars].map(toContainer),
    ...(account && { serviceAccountName: account }),
    ...(template.hostNetwork && { hostNetwork: true }),
    ...(template.hostPID && { hostPID: true }),
    ...(hostPath && { volumes: [{ name: 'host', hostPath: { path: hostPath } }] }),
    ...(node && { nodeName: node }),
  }
}

export function pod(at: At, name: string, template: Template, options: PodOptions = {}): KubeObject {
  const { owner, phase = 'Running', waiting, restarts = 0, ageDays = 0.2, annotations, node = at.nodes[0]! } = options
  const spec = podSpec(template, node)
  const state = waiting ? { waiting: { reason: waiting } } : { running: {} }
  const made = object(at, 'Pod', name, {
    owner,
    labels: template.labels ?? {},
    spec,
    status: {
      phase,
      startTime: timeOf(at, ageDays),
      containerStatuses: spec.containers.map(({ name: of, image }) => ({
        ...{ name: of, image, imageID: '', state, restartCount: restarts },
      })),
    },
  })
  if (annotations) made.metadata.annotations = annotations
  return made
}

interface Workload extends PodOptions {
  replicas?: number
}

const labelled = (template: Template, app: string): Template => ({ ...template, labels: { app, ...template.labels } })

const templateOf = (template: Template) => ({
  ...{ selector: { matchLabels: template.labels ?? {} } },
  template: { metadata: { labels: template.labels ?? {} }, spec: podSpec(template) },
})

/** A Deployment with its ReplicaSet and pods. A rollout gives it other names each day. */
export function deployment(at: At, name: string, unlabelled: Template, options: Workload = {}): KubeObject[] {
  const { replicas = 1, owner, ...ofPods } = options
  const template = labelled(unlabelled, name)
  const hash = at.draw('safe', 9)
  const labels = { ...template.labels, 'pod-template-hash': hash }
  const replicaSet = `${name}-${hash}`
  return [
    object(at, 'Deployment', name, {
      ...{ owner, spec: { replicas, ...templateOf(template) }, status: { availableReplicas: replicas } },
    }),
    object(at, 'ReplicaSet', replicaSet, { owner: { kind: 'Deployment', name }, spec: templateOf(template) }),
    ...many(replicas, () =>
      pod(
        at,
        `${replicaSet}-${at.draw('safe', 5)}`,
        { ...template, labels },
        { ...ofPods, owner: { kind: 'ReplicaSet', name: replicaSet } },
      ),
    ),
  ]
}

export function statefulSet(at: At, name: string, unlabelled: Template, options: Workload = {}): KubeObject[] {
  const { replicas = 1, owner, ...ofPods } = options
  const template = labelled(unlabelled, name)
  return [
    object(at, 'StatefulSet', name, {
      ...{ owner, spec: { replicas, serviceName: name, ...templateOf(template) }, status: { readyReplicas: replicas } },
    }),
    ...many(replicas, (i) => pod(at, `${name}-${i}`, template, { ...ofPods, owner: { kind: 'StatefulSet', name } })),
  ]
}

/** One pod on each node. */
export function daemonSet(
  at: At,
  name: string,
  unlabelled: Template,
  { owner, ...ofPods }: PodOptions = {},
): KubeObject[] {
  const count = at.nodes.length
  const template = labelled(unlabelled, name)
  return [
    object(at, 'DaemonSet', name, {
      ...{ owner, spec: templateOf(template), status: { desiredNumberScheduled: count, numberReady: count } },
    }),
    ...at.nodes.map((node) =>
      pod(at, `${name}-${at.draw('safe', 5)}`, template, { ...ofPods, node, owner: { kind: 'DaemonSet', name } }),
    ),
  ]
}

/** A Job with a pod. */
export function job(at: At, name: string, template: Template, { owner, ...ofPod }: PodOptions = {}): KubeObject[] {
  const { phase = 'Succeeded' } = ofPod
  const status = {
    ...{ Running: { active: 1 }, Pending: { active: 1 }, Failed: { failed: 1 }, Succeeded: { succeeded: 1 } }[phase],
    startTime: timeOf(at, 0.2),
    ...(phase === 'Succeeded' && { conditions: [{ type: 'Complete', status: 'True' }] }),
    ...(phase === 'Failed' && { conditions: [{ type: 'Failed', status: 'True' }] }),
  }
  return [
    object(at, 'Job', name, { owner, labels: template.labels ?? {}, spec: templateOf(template), status }),
    pod(at, `${name}-${at.draw('safe', 5)}`, template, { ...ofPod, phase, owner: { kind: 'Job', name } }),
  ]
}

/** A warning about a pod. */
const event = (at: At, { metadata: { name } }: KubeObject, reason: string, message: string): KubeObject =>
  object(at, 'Event', `${name}.${at.draw('hex', 16)}`, {
    ...{ type: 'Warning', reason, message, source: { component: 'kubelet' } },
    involvedObject: { kind: 'Pod', name, namespace: at.namespace },
  })

export const backOff = (at: At, pod: KubeObject, container: string): KubeObject => {
  const { name, namespace, uid } = pod.metadata
  const message = `Back-off restarting failed container ${container} in pod ${name}_${namespace}(${uid})`
  return event(at, pod, 'BackOff', message)
}

export const cronJob = (at: At, name: string, template: Template): KubeObject =>
  object(at, 'CronJob', name, { spec: { schedule: '@daily', jobTemplate: { spec: templateOf(template) } } })

/** A role of this kind and a binding of the same name to a service account. */
export function role(
  at: At,
  kind: 'Role' | 'ClusterRole',
  name: string,
  account: string,
  rules: object[],
): KubeObject[] {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind, name }
  const subjects = [{ kind: 'ServiceAccount', name: account, namespace: at.namespace }]
  return [object(at, kind, name, { rules }), object(at, `${kind}Binding`, name, { roleRef, subjects })]
}

export const account = (at: At, name: string): KubeObject => object(at, 'ServiceAccount', name)

export const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
