import { anyAdvisoryId } from '../../contract/patterns.ts'
import { count } from '../../util/words.ts'
import { impactVerdict } from '../../views/impact.ts'
import { safe, say, sentences } from '../../views/said.ts'
import type { Tool } from '../tool.ts'
import { ageOfOldest, toPage } from './fleet.ts'
import { unknownArtifacts } from './runs.ts'

export const impact: Tool = {
  name: 'impact',
  title: 'What an advisory affects',
  description:
    'Lists workloads that an advisory affects (cve), or that new advisories of the last days affect (new_days). Without an argument: everything behind a security fix.',
  route: 'getImpact',
  properties: {
    cve: { type: 'string', pattern: anyAdvisoryId, description: 'Id of an advisory, such as CVE-2025-1974' },
    new_days: { type: 'integer', minimum: 1, maximum: 365 },
  },
  lists: ['items', 'advisories'],
  async ask(call, args, { now }) {
    const answer = await call('getImpact', { query: args })
    const { summary, coverage, looked_at } = answer
    const scans = (looked_at?.clusters ?? []).map(({ seen_at }) => seen_at)
    return {
      about: {
        ...ageOfOldest(scans, now),
        coverage: {
          clusters: summary.clusters_seen,
          artifacts: coverage?.artifacts ?? null,
          known: coverage?.known ?? null,
        },
        undecided: [
          ...unknownArtifacts(coverage),
          ...sentences(impactVerdict(answer, { isOfOne: args.cve !== undefined, now }).gaps),
        ],
      },
      answer: { ...answer },
      said: say`${safe(count(summary.artifacts, 'artifact'))} in ${safe(count(summary.workloads, 'workload'))} of ${safe(count(summary.clusters, 'cluster'))} are listed.`,
    }
  },
}

export const searchCatalog: Tool = {
  name: 'search_catalog',
  title: 'Search projects of the catalog',
  description:
    'Searches projects by name; with include_releases, with their newest releases. Release notes are resources.',
  route: 'listProjects',
  properties: {
    search: { type: 'string', maxLength: 200 },
    include_releases: { type: 'boolean' },
  },
  lists: ['items'],
  hasPages: true,
  async ask(call, args, { rows }) {
    const answer = await call('listProjects', { query: { ...args, ...toPage(rows) } })
    return {
      about: { coverage: { projects: answer.total } },
      answer: { ...answer },
      said: say`${safe(count(answer.total, 'project'))} match.`,
      total: answer.total,
    }
  },
}
