import { isObject } from '../util/json.ts'
import type { KubeCluster, KubeFailure } from './cluster.ts'
import { text } from './kubeconfig.ts'

/** What a cluster serves: `plural.group` → the versions, the API server's preferred one first. */
export interface ServedResources {
  /** Why they are not known. */
  failure?: KubeFailure
  /** `v1`; undefined if the cluster does not have it. */
  versionOf(resource: { group: string; plural: string }): string | undefined
}

const aggregated = ['v2', 'v2beta1'].map(
  (version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
)

/**
 * Asks for all groups at once; every account may. This distinguishes a kind that is not installed from one that may not be
 * read. An API server before 1.26 is asked for each version of the `groups`.
 */
export async function discover(cluster: KubeCluster, groups: Iterable<string>): Promise<ServedResources> {
  const answer = await cluster.read('/apis', { accept: [...aggregated, 'application/json'].join(',') })
  /** Undefined: its resources are not known. */
  const served = new Map<string, { version: string; plurals: Set<string> | undefined }[]>()
  if ('why' in answer) return { failure: answer, versionOf: () => undefined }
  for (const { metadata, versions } of rows(answer.value.items)) {
    const name = isObject(metadata) ? text(metadata.name) : undefined
    if (name === undefined) continue
    served.set(
      name,
      rows(versions).flatMap(({ version, resources, freshness }) => {
        // The group's own API server does not answer.
        const plurals = freshness === 'Stale' ? undefined : namesIn(resources, 'resource')
        return isName(version) ? { version, plurals } : []
      }),
    )
  }
  const named = new Set(groups)
  for (const { name, versions } of rows(answer.value.groups)) {
    if (typeof name !== 'string' || !named.has(name)) continue
    const of = rows(versions).flatMap(({ version }) => (isName(version) ? version : []))
    served.set(name, await Promise.all(of.map((version) => readVersion(cluster, name, version))))
  }
  return {
    versionOf: ({ group, plural }) =>
      served.get(group)?.find(({ plurals }) => plurals === undefined || plurals.has(plural))?.version,
  }
}

async function readVersion(cluster: KubeCluster, group: string, version: string) {
  const answer = await cluster.read(`/apis/${group}/${version}`)
  return { version, plurals: 'why' in answer ? undefined : namesIn(answer.value.resources, 'name') }
}

const rows = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : [])

const namesIn = (value: unknown, key: string) => new Set(rows(value).flatMap((row) => text(row[key]) ?? []))

/** A name that is safe as part of a path. */
const isName = (value: unknown): value is string => typeof value === 'string' && /^[a-z0-9.-]{1,253}$/.test(value)
