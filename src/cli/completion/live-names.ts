import type { Client } from '../../client/client.ts'
import type { Candidate } from './candidate.ts'
import type { Lookup } from './complete.ts'

type Find = (client: Client, prefix: string) => Promise<Candidate[]>

const projects: Find = async (client, prefix) => {
  const { items } = await client.call('listProjects', { query: { per_page: 100, ...(prefix && { search: prefix }) } })
  return items.map(({ name, description }) => ({ value: typed(name), description }))
}
const labels: Find = async (client) =>
  (await client.call('listLabels', {})).labels.map(({ label_name }) => ({ value: label_name }))
const profiles: Find = async (client) =>
  (await client.call('listConfigs', {})).items.map(({ name, cluster_name }) => ({
    value: name,
    description: cluster_name,
  }))
const clusters: Find = async (client) => {
  const trends = await client.call('reportTrends', { query: { group_by_cluster: true, window_days: 365 } })
  return 'clusters' in trends
    ? trends.clusters.map((each) => ({ value: each.cluster_name, description: each.environment }))
    : []
}

const finders: Record<string, Find> = {
  project: projects,
  projects,
  label: labels,
  labels,
  profile: profiles,
  config: profiles,
  cluster: clusters,
  clusters,
}

const patienceMs = 2_000

/** Whoever presses a key gets no error: what cannot be told in time is not told. */
export function createLookup(open: () => Promise<Client>): Lookup {
  return async (kind, prefix) => {
    const find = finders[kind]
    if (!find) return []
    const tooLate = new Promise<Candidate[]>((resolve) => setTimeout(resolve, patienceMs, []).unref())
    return Promise.race([open().then((client) => find(client, prefix)), tooLate]).catch(() => [])
  }
}

/** Names as people type them. */
function typed(name: string): string {
  return name.toLowerCase().replace(/\s+/g, '-')
}
