import type { MadeRow } from '../made-cluster.ts'
import type { KubeObject } from './objects.ts'

export interface Container {
  name: string
  image: string
  securityContext?: Record<string, unknown>
  resources?: Record<string, Record<string, string>>
  readinessProbe?: object
  livenessProbe?: object
}

export interface PodSpec {
  containers: Container[]
  securityContext?: { runAsUser?: number }
  serviceAccountName?: string
  hostNetwork?: boolean
  hostPID?: boolean
  volumes?: { name: string; hostPath?: { path: string } }[]
  nodeName?: string
}

/** The message and value of a row. */
export type Said = [message: string, value?: string | undefined]

/** Objects of a cluster, as checks ask for them. */
export class Cluster {
  readonly #kinds: Map<string, KubeObject[]>
  readonly now: number

  constructor(objects: KubeObject[], now: number) {
    this.#kinds = Map.groupBy(objects, ({ kind }) => kind)
    this.now = now
  }

  of(...kinds: string[]): KubeObject[] {
    return kinds.flatMap((kind) => this.#kinds.get(kind) ?? [])
  }

  daysSince(time: string): number {
    return Math.floor((this.now - Date.parse(time) / 1000) / 86_400)
  }
}

export interface Check {
  name: string
  severity: string
  kind: string
  find: (cluster: Cluster) => MadeRow[]
}

export const row = ({ kind, metadata }: KubeObject, [message, value = '']: Said): MadeRow => ({
  Message: message,
  Namespace: metadata.namespace ?? '(cluster)',
  Resource: `${kind.toLowerCase()}/${metadata.name}`,
  ...(value !== '' && { Value: value }),
})

export const rowsOf = (kinds: string[], say: (object: KubeObject, cluster: Cluster) => Said[]) => (cluster: Cluster) =>
  cluster.of(...kinds).flatMap((object) => say(object, cluster).map((said) => row(object, said)))

export const toSaid = (said: Said | undefined | false): Said[] => (said ? [said] : [])
