import { isObject } from '../util/json.ts'
import { type Metadata, word } from './helm-labels.ts'

/** The fields of a foreign object that an inventory needs; undefined if it has no name. */
export interface KubernetesObject {
  kind: string
  metadata: Metadata
  owner: { kind: string; name: string } | undefined
  containers: { name: string; image: string }[]
  /** Container name → image id, from a pod's status. */
  imageIds: Map<string, string>
  /** Pods only. */
  phase: string | undefined
}

export function readObject(item: unknown, kindOfList?: string): KubernetesObject | undefined {
  if (!isObject(item) || !isObject(item.metadata)) return undefined
  const kind = word(item.kind) ?? kindOfList
  const name = word(item.metadata.name)
  if (kind === undefined || name === undefined) return undefined
  const { namespace, labels, annotations, ownerReferences } = item.metadata
  const status = record(item.status)
  return {
    kind,
    metadata: {
      name,
      namespace: word(namespace) ?? 'default',
      labels: record(labels),
      annotations: record(annotations),
    },
    owner: controllerOf(ownerReferences),
    containers: containersOf(podSpecOf(kind, record(item.spec))),
    imageIds: imageIdsOf(status),
    phase: word(status.phase),
  }
}

/** Path of a workload's pod template. */
function podSpecOf(kind: string, spec: Record<string, unknown>): Record<string, unknown> {
  if (kind === 'Pod') return spec
  const template = kind === 'CronJob' ? record(record(spec.jobTemplate).spec).template : spec.template
  return record(record(template).spec)
}

function containersOf(podSpec: Record<string, unknown>) {
  return [podSpec.initContainers, podSpec.containers, podSpec.ephemeralContainers]
    .flatMap(rows)
    .flatMap((container) => {
      const image = word(container.image)
      return image === undefined ? [] : [{ name: word(container.name) ?? '', image }]
    })
}

function imageIdsOf(status: Record<string, unknown>): Map<string, string> {
  const found = new Map<string, string>()
  const statuses = [status.initContainerStatuses, status.containerStatuses, status.ephemeralContainerStatuses]
  for (const { name, imageID } of statuses.flatMap(rows)) {
    const id = word(imageID)
    if (id !== undefined) found.set(word(name) ?? '', id)
  }
  return found
}

function controllerOf(references: unknown): KubernetesObject['owner'] {
  const controller = rows(references).find((reference) => reference.controller === true)
  const [kind, name] = [word(controller?.kind), word(controller?.name)]
  return kind !== undefined && name !== undefined ? { kind, name } : undefined
}

function record(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

function rows(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
