import { findingGroupings, findingSeverities, findingStates } from '../../contract/choices.ts'
import { count } from '../../util/words.ts'
import { coverageNotes } from '../../views/coverage.ts'
import { findingVerdict } from '../../views/finding-details.ts'
import { joined, safe, say } from '../../views/said.ts'
import { doubtsIn } from '../../views/view.ts'
import type { Tool } from '../tool.ts'
import { ageOfOldest, sinceProperty, toPage } from './fleet.ts'
import { clusterProperties } from './runs.ts'

export const listFindings: Tool = {
  name: 'list_findings',
  title: 'Findings of the latest scans',
  description: 'Lists findings of the latest runs of one or all clusters, by severity, check, namespace or state.',
  route: 'listFindings',
  properties: {
    ...clusterProperties,
    severity: {
      type: 'string',
      pattern: someOf(findingSeverities),
      description: `Some of ${findingSeverities.join(', ')}, with commas`,
    },
    state: {
      type: 'string',
      pattern: someOf(findingStates),
      description: `Some of ${findingStates.join(', ')}, with commas (default: open)`,
    },
    ...sinceProperty,
    namespace: { type: 'string', maxLength: 253 },
    check: { type: 'string', maxLength: 100, description: 'Id of a check' },
    search: { type: 'string', maxLength: 200, description: 'Part of a check, resource or message' },
    group_by: { type: 'string', enum: [...findingGroupings] },
  },
  lists: ['items', 'groups'],
  hasPages: true,
  async ask(call, args, { rows, now }) {
    const answer = await call('listFindings', { query: { ...args, ...toPage(rows) } })
    const { looked_at, findings, total } = answer
    const { accepted_findings: accepted = 0 } = looked_at
    const state = typeof args.state === 'string' ? args.state.split(',') : undefined
    const notes = coverageNotes(looked_at, { state, news: answer, now })
    return {
      about: {
        ...ageOfOldest([looked_at.oldest_scan_at], now),
        coverage: { clusters: looked_at.clusters, runs: looked_at.runs, checks_not_run: looked_at.not_run_checks },
        undecided: [...doubtsIn(notes), ...(looked_at.runs === 0 ? [say`There are no reports.`] : [])],
      },
      answer: { ...answer },
      said: say`${safe(count(findings, 'finding'))} in ${safe(count(looked_at.runs, 'run'))} of ${safe(count(looked_at.clusters, 'cluster'))}${accepted > 0 && safe(`; exceptions accept ${accepted} more (state accepted)`)}.`,
      total,
    }
  },
}

export const explainFinding: Tool = {
  name: 'explain_finding',
  title: 'One finding and its history',
  description: 'Shows a finding: what it says, how to fix it, since when and in which clusters it is open.',
  route: 'getFinding',
  properties: {
    fingerprint: { type: 'string', pattern: '^[0-9a-f]{4,32}$', description: 'Of list_findings or compare_runs' },
    ...clusterProperties,
  },
  required: ['fingerprint'],
  lists: ['clusters'],
  async ask(call, { fingerprint, ...query }, { now }) {
    const answer = await call('getFinding', { params: { fingerprint: String(fingerprint) }, query })
    const verdict = findingVerdict(answer)
    const scans = answer.clusters.map(({ latest_scan_at }) => latest_scan_at)
    return {
      about: {
        run_id: answer.run_id,
        ...ageOfOldest(scans, now),
        coverage: { clusters: answer.clusters_total },
        undecided: verdict.gaps.map((gap) => say`${gap}.`),
      },
      answer: { ...answer },
      said: joined([say`${verdict.words}`, say`severity ${safe(answer.finding.severity)}.`], '; '),
    }
  },
}

/** One or several comma-separated words. */
function someOf(words: readonly string[]) {
  const word = `(${words.join('|')})`
  return `^${word}(,${word})*$`
}
