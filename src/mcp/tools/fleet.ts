import { ReltError } from '../../errors.ts'
import { parseTimestamp } from '../../util/time.ts'
import { count } from '../../util/words.ts'
import { fleetUnknowns, fleetVerdict } from '../../views/fleet.ts'
import { joined, safe, say, sentences } from '../../views/said.ts'
import { versionsVerdict } from '../../views/versions.ts'
import type { Ask, Tool } from '../tool.ts'

/** For tools that say what is new. */
export const sinceProperty = {
  since: {
    type: 'string',
    maxLength: 64,
    description: 'Findings after this time are new, such as 2026-11-20 08:00:00',
  },
} as const

export const fleetStatus: Tool = {
  name: 'fleet_status',
  title: 'Status of all clusters',
  description:
    'Lists clusters with their score, what is new since a time, freshness, gate and why they need attention; the most urgent first. Start here.',
  route: 'listClusters',
  properties: {
    label: { type: 'string', maxLength: 100, description: 'Only clusters with this label' },
    environment: { type: 'string', maxLength: 100, description: 'Only clusters of this environment' },
    ...sinceProperty,
  },
  lists: ['items'],
  hasPages: true,
  async ask(call, args, { rows, now }) {
    const answer = await call('listClusters', { query: { ...args, sort: 'urgency', ...toPage(rows) } })
    const { items, summary, total } = answer
    const scans = items.map(({ last_scan }) => last_scan)
    const unscanned = items.filter(({ last_scan }) => !last_scan).length
    const verdict = fleetVerdict(answer, now)
    return {
      about: {
        ...ageOfOldest(scans, now),
        coverage: { clusters: summary.clusters },
        undecided: [
          ...sentences(fleetUnknowns(answer, now)),
          ...(unscanned > 0 ? [say`${safe(count(unscanned, 'cluster'))} on this page were never scanned.`] : []),
        ],
      },
      answer: { ...answer },
      said: say`${joined([verdict.words, ...(verdict.more ?? [])], '. ')}.`,
      total,
    }
  },
}

export const whatsRunning: Tool = {
  name: 'whats_running',
  title: 'Where a project runs',
  description:
    'Lists the versions of one project that run in all clusters, with how far each is behind and the next checked step.',
  route: 'listClusterVersions',
  properties: {
    project: { type: 'string', minLength: 1, maxLength: 100, description: 'Slug or name, such as cert-manager' },
  },
  required: ['project'],
  lists: ['items', 'unknown'],
  async ask(call, { project }, { now }) {
    const product_id = await findProject(call, String(project))
    const answer = await call('listClusterVersions', { query: { product_id } })
    const { summary, items } = answer
    const scans = items.map(({ seen_at }) => seen_at)
    return {
      about: {
        ...ageOfOldest(scans, now),
        coverage: { clusters: summary.clusters, with_inventory: summary.with_inventory },
        undecided: sentences(versionsVerdict(answer, now).gaps),
      },
      answer: { ...answer },
      said: say`${summary.running} of ${safe(count(summary.clusters, 'cluster'))} are known to run it, in ${safe(count(new Set(items.map(({ version }) => version)).size, 'version'))}.`,
    }
  },
}

/** The id of a project by its slug, else by its full name. Throws `not_found`. */
export async function findProject(call: Ask, project: string) {
  const { items } = await call('listProjects', { query: { search: project, per_page: 50 } })
  const wanted = project.toLowerCase()
  const found = items.find(({ slug }) => slug === wanted) ?? items.find(({ name }) => name.toLowerCase() === wanted)
  if (found) return found.id
  throw new ReltError('not_found', 'No project has this slug or name. Find it with search_catalog.')
}

export const toPage = ({ offset, limit }: { offset: number; limit: number }) => ({
  page: Math.floor(offset / limit) + 1,
  per_page: limit,
})

/** The oldest of the scans, and its age. */
export function ageOfOldest(scans: readonly (string | null | undefined)[], now: number) {
  const [scanned_at = null] = scans.filter((at) => at != null).sort()
  const at = scanned_at === null ? undefined : parseTimestamp(scanned_at)
  return { scanned_at, age_seconds: at === undefined ? null : Math.max(0, now - at) }
}
