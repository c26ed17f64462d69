import { hash } from 'node:crypto'
import { object, objects } from '../reports/formats/values.ts'
import { isObject } from '../util/json.ts'
import { type Metadata, word } from './helm-labels.ts'

export interface ObjectName {
  kind: string
  name: string
}

export interface ObjectContainer {
  name: string
  image: string
  /** Absent for a container that runs as long as its pod. */
  role?: 'init' | 'ephemeral' | 'volume'
}

/** The fields of a foreign object that an inventory needs. */
export interface KubernetesObject {
  kind: string
  metadata: Metadata
  /** The controller in its owner references. */
  owner: ObjectName | undefined
  containers: ObjectContainer[]
  /** Digest of a workload's pod template: it changes when a user edits that. */
  specDigest: string | undefined
  /** Container name → image id, from a pod's status. */
  imageIds: Map<string, string>
  /** A pod or Job that has ended, so none of its containers run. */
  hasEnded: boolean
  /** Node of a static pod, whose name is part of the pod's. */
  staticOn: string | undefined
}

/** Undefined if the object has no name. */
export function readObject(item: unknown, kindOfList?: string): KubernetesObject | undefined {
  if (!isObject(item) || !isObject(item.metadata)) return undefined
  const kind = word(item.kind) ?? kindOfList
  const name = word(item.metadata.name)
  if (kind === undefined || name === undefined) return undefined
  const { namespace, labels, annotations, ownerReferences } = item.metadata
  const [spec, status] = [object(item.spec), object(item.status)]
  const metadata = {
    name,
    namespace: word(namespace) ?? 'default',
    labels: object(labels),
    annotations: object(annotations),
  }
  const podSpec = toPodSpec(kind, spec)
  return {
    kind,
    metadata,
    owner: controllerFor(ownerReferences),
    containers: toContainers(podSpec),
    specDigest: edited.has(kind) ? hash('sha256', JSON.stringify(podSpec)).slice(0, 16) : undefined,
    imageIds: imageIdsFor(status),
    hasEnded: hasEnded(kind, status),
    staticOn: 'kubernetes.io/config.mirror' in metadata.annotations ? word(spec.nodeName) : undefined,
  }
}

/** Kinds of workloads that users edit. */
const edited = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'ReplicationController'])

/** Finds a workload's pod template by kind. */
function toPodSpec(kind: string, spec: Record<string, unknown>) {
  if (kind === 'Pod') return spec
  const template = kind === 'CronJob' ? object(object(spec.jobTemplate).spec).template : spec.template
  return object(object(template).spec)
}

function hasEnded(kind: string, status: Record<string, unknown>) {
  if (kind === 'Pod') return status.phase === 'Succeeded' || status.phase === 'Failed'
  if (kind !== 'Job') return false
  return objects(status.conditions).some(
    ({ type, status: is }) => is === 'True' && (type === 'Complete' || type === 'Failed'),
  )
}

function toContainers({ initContainers, containers, ephemeralContainers, volumes }: Record<string, unknown>) {
  const read = (list: unknown, role?: ObjectContainer['role']) =>
    objects(list).flatMap((container) => {
      const image = word(container.image)
      return image === undefined ? [] : [{ name: word(container.name) ?? '', image, ...(role && { role }) }]
    })
  const ofVolumes = objects(volumes).map(({ name, image }) => ({ name, image: object(image).reference }))
  return [
    ...read(initContainers, 'init'),
    ...read(containers),
    ...read(ephemeralContainers, 'ephemeral'),
    ...read(ofVolumes, 'volume'),
  ]
}

function imageIdsFor(status: Record<string, unknown>) {
  const found = new Map<string, string>()
  const statuses = [status.initContainerStatuses, status.containerStatuses, status.ephemeralContainerStatuses]
  for (const { name, imageID } of statuses.flatMap(objects)) {
    const id = word(imageID)
    if (id !== undefined) found.set(word(name) ?? '', id)
  }
  return found
}

function controllerFor(references: unknown) {
  const controller = objects(references).find((reference) => reference.controller === true)
  const [kind, name] = [word(controller?.kind), word(controller?.name)]
  return kind !== undefined && name !== undefined ? { kind, name } : undefined
}
