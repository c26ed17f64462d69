import type { Client } from '../../../client/client.ts'
import { type Config, readConfig } from '../../../config/config-file.ts'
import type { Context } from '../../../context.ts'
import { ago } from '../../output/time.ts'
import { keysOf } from '../config/keys.ts'
import type { Candidate } from './candidate.ts'
import type { Lookup } from './complete.ts'

type Find = (client: Client, prefix: string, now: number) => Promise<Candidate[]>

const projects: Find = async (client, prefix) => {
  const { items } = await client.call('listProjects', { query: { per_page: 100, ...(prefix && { search: prefix }) } })
  return items.map(({ name, description }) => ({ value: typed(name), description }))
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
  return 'clusters' in trends
    ? trends.clusters.flatMap(({ cluster_name, environment }) =>
        cluster_name === null ? [] : { value: cluster_name, description: environment ?? '-' },
      )
    : []
}

/** Runs of the last uploaded cluster, newest first. */
const runs: Find = async (client, _prefix, now) => {
  const { items } = await client.call('listReports', { query: { per_page: 20 } })
  return items.map(({ run_id, cluster_name, environment, ingested_at }) => ({
    value: run_id,
    description: `${cluster_name ?? '-'} (${environment ?? '-'}), ${ingested_at === null ? '-' : ago(ingested_at, now)}`,
  }))
}
const keys: Find = async (client) =>
  (await client.call('listKeys', {})).keys.map(({ name, created }) => ({ value: name, description: created }))

const finders: Record<string, Find> = {
  project: projects,
  projects,
  label: labels,
  labels,
  profile: profiles,
  config: profiles,
  cluster: clusters,
  clusters,
  run: runs,
  from: runs,
  to: runs,
  key: keys,
}

/** Names from this machine's settings, without any request. */
const settled: Record<string, (config: Config) => Candidate[]> = {
  server: ({ servers }) => [
    ...Array.from(servers, ([value, { url }]) => ({ value, description: url })),
    { value: 'local', description: 'the store on this machine' },
  ],
  setting: (config) => keysOf(config).map(({ key, summary }) => ({ value: key, description: summary })),
  alias: ({ aliases }) => Array.from(aliases, ([value, description]) => ({ value, description })),
}

const patienceMs = 2_000

/** Completion shows no errors; names that are not available in time are left out. */
export function createLookup({ env, now, client }: Pick<Context, 'env' | 'now' | 'client'>): Lookup {
  const look = async (kind: string, prefix: string): Promise<Candidate[]> =>
    settled[kind]?.(readConfig(env)) ?? finders[kind]?.(await client(), prefix, now()) ?? []
  return (kind, prefix) => {
    const tooLate = new Promise<Candidate[]>((resolve) => setTimeout(resolve, patienceMs, []).unref())
    return Promise.race([look(kind, prefix), tooLate]).catch(() => [])
  }
}

/** Names as people type them. */
function typed(name: string): string {
  return name.toLowerCase().replace(/\s+/g, '-')
}
