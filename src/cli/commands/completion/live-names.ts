import type { RouteCaller } from '../../../client/client.ts'
import { type Config, readConfig } from '../../../config/config-file.ts'
import type { Context } from '../../../context.ts'
import { scannedAt } from '../../../reports/run-subject.ts'
import { ago } from '../../../util/ago.ts'
import { toKeys } from '../config/keys.ts'
import { type ClusterOptions, chooseCluster, clusterQuery } from '../reports/cluster.ts'
import type { Candidate, GivenOptions, Lookup } from './complete.ts'

/** `place`: the cluster in the words, or else the current one. */
type Find = (
  client: RouteCaller,
  prefix: string,
  completing: { now: number; place: ClusterOptions },
) => Promise<Candidate[]>

const projects: Find = async (client, prefix) => {
  const { items } = await client.call('listProjects', { query: { per_page: 100, ...(prefix && { search: prefix }) } })
  return items.map(({ name, description }) => ({ value: name.toLowerCase().replace(/\s+/g, '-'), description }))
}
const labels: Find = async (client) =>
  (await client.call('listLabels', {})).labels.map(({ label_name }) => ({ value: label_name }))
const profiles: Find = async (client) =>
  (await client.call('listConfigs', { query: { per_page: 100 } })).items.map(({ name, cluster_name }) => ({
    value: name,
    ...(cluster_name !== null && { description: cluster_name }),
  }))
const clusters: Find = async (client) => {
  const trends = await client.call('reportTrends', { query: { group_by_cluster: true, window_days: 365 } })
  if (!('clusters' in trends)) return []
  // There is one trend per scanner, so clusters repeat.
  const named = new Map(trends.clusters.map((each) => [`${each.cluster_name}\n${each.environment}`, each]))
  return [...named.values()].flatMap(({ cluster_name, environment }) =>
    cluster_name === null ? [] : { value: cluster_name, description: environment ?? '-' },
  )
}

const environments: Find = async (client, _prefix, { place: { cluster } }) => {
  const { environments, items } = await client.call('listReports', {
    query: { ...clusterQuery({ cluster }), per_page: 1 },
  })
  return (environments ?? items.flatMap(({ environment }) => environment ?? [])).map((value) => ({ value }))
}

/** Runs of the cluster, newest first, and references to the latest ones. */
const runs: Find = async (client, prefix, { place, now }) => {
  const { items } = await client.call('listReports', { query: { ...clusterQuery(place), per_page: 20 } })
  const described = items.map((run) => {
    const at = scannedAt(run)
    return `${run.cluster_name ?? '-'} (${run.environment ?? '-'}), ${at === null ? '-' : ago(at, now)}`
  })
  // All ids share the prefix `crun_`; without it, fewer letters are needed.
  const isBare = prefix !== '' && !'crun_'.startsWith(prefix.slice(0, 5)) && !'latest'.startsWith(prefix.slice(0, 6))
  const ids = items.map(({ run_id }, index) => ({
    value: isBare ? run_id.slice('crun_'.length) : run_id,
    description: described[index]!,
  }))
  const isOneLine = new Set(items.map(({ environment }) => environment)).size < 2
  const places = isOneLine
    ? described.slice(0, 10).map((description, index) => ({
        value: index === 0 ? 'latest' : `latest~${index}`,
        description,
      }))
    : [{ value: 'latest' }]
  return items.length === 0 ? [] : [...places, ...ids]
}
const keys: Find = async (client) =>
  (await client.call('listKeys', {})).keys.map(({ name, created }) => ({ value: name, description: created }))

const teams: Find = async (client) =>
  ((await client.call('getCurrentKey', {})).teams ?? []).map(({ name, role }) => ({ value: name, description: role }))

const finders: Record<string, Find> = {
  project: projects,
  projects,
  label: labels,
  labels,
  profile: profiles,
  config: profiles,
  cluster: clusters,
  environment: environments,
  clusters,
  run: runs,
  from: runs,
  to: runs,
  key: keys,
  team: teams,
}

/** Names from this machine's settings, without a request. */
const settled: Record<string, (config: Config) => Candidate[]> = {
  server: ({ servers }) => [
    ...Array.from(servers, ([value, { url }]) => ({ value, description: url })),
    { value: 'local', description: 'the store on this machine' },
  ],
  setting: (config) => toKeys(config).map(({ key, summary }) => ({ value: key, description: summary })),
}

const patienceMs = 2_000

/** Completion shows no errors; omits names that are not available in time. */
export function createLookup(context: Pick<Context, 'env' | 'now' | 'client' | 'settings'>): Lookup {
  const { env, now, client } = context
  const look = async (kind: string, prefix: string, { cluster, environment }: GivenOptions) => {
    const config = settled[kind]
    if (config) return config(readConfig(env))
    const find = finders[kind]
    if (!find) return []
    const place = await chooseCluster({ context }, { cluster, environment })
    return find(await client(), prefix, { now: now(), place })
  }
  return (kind, prefix, given) => {
    const tooLate = new Promise<Candidate[]>((resolve) => setTimeout(resolve, patienceMs, []).unref())
    return Promise.race([look(kind, prefix, given), tooLate]).catch(() => [])
  }
}
