import type { ReceivedFreshness, ReceivedRun } from '../../contract/received/cluster-report.ts'
import { ReltError } from '../../errors.ts'
import { scannedAt } from '../../reports/run-subject.ts'
import { count } from '../../util/words.ts'
import { countsSaid, viewComparison } from '../../views/comparison.ts'
import { freshnessVerdict } from '../../views/freshness.ts'
import { judgedRun, viewRecordedGate } from '../../views/gate.ts'
import { checksNotRun } from '../../views/not-run.ts'
import { safe, say, sentences } from '../../views/said.ts'
import { doubtsIn } from '../../views/view.ts'
import type { About, Ask, Tool, ToolArguments } from '../tool.ts'
import { ageOfOldest, sinceProperty } from './fleet.ts'

export const clusterProperties = {
  cluster_name: { type: 'string', maxLength: 253, description: 'Name of the cluster' },
  environment: { type: 'string', maxLength: 100, description: 'Its environment, such as prod' },
}
const runProperty = { type: 'string', maxLength: 100, description: 'Id of a run; default: the latest of the cluster' }

export const compareRuns: Tool = {
  name: 'compare_runs',
  title: 'What the last scan changed',
  description:
    'Compares two runs of a cluster: new, regressed, resolved and changed findings, and what could not be compared.',
  route: 'compareReports',
  properties: {
    ...clusterProperties,
    from_run_id: { ...runProperty },
    to_run_id: { ...runProperty },
    ...sinceProperty,
  },
  lists: [
    'new_findings',
    'regressed_findings',
    'resolved_findings',
    'changed_findings',
    'suppressed_findings',
    'event_findings',
    'first_seen_findings',
    'back_in_scope_findings',
    'not_looked_at_findings',
    'at_rest_findings',
    'incomparable_findings',
  ],
  async ask(call, args, { now }) {
    const answer = await call('compareReports', { query: { ...args } })
    const view = viewComparison(answer)
    const { before, after, change } = view.score
    return {
      about: {
        ...aboutRun(answer.to, now),
        undecided: [...view.verdict.gaps, ...doubtsIn(view.notes)],
      },
      answer: { ...answer },
      said: say`${view.verdict.words}. ${countsSaid(view)}. Score ${before} to ${after} ${change}.`,
    }
  },
}

export const freshness: Tool = {
  name: 'freshness',
  title: 'What runs that is out of date',
  description:
    'Compares what runs in a cluster with the releases of its projects: status, ends of support, advisories and the next checked step of each artifact.',
  route: 'reportFreshness',
  properties: { ...clusterProperties, run_id: runProperty },
  lists: ['items'],
  async ask(call, args, { now }) {
    const run = await findRun(call, args)
    const answer = await call('reportFreshness', { params: { run_id: run.run_id } })
    const { summary, coverage, catalog_date } = answer
    const { current_in_state: ended = 0, newest_known: newest = 0 } = summary ?? {}
    const { state, gaps } = freshnessVerdict(answer, now)
    return {
      about: {
        ...aboutRun(run, now),
        coverage: {
          artifacts: coverage?.artifacts ?? null,
          known: coverage?.known ?? null,
          catalog_date: catalog_date ?? null,
        },
        undecided: [...unknownArtifacts(coverage), ...(state === 'passed' ? [] : sentences(gaps))],
      },
      answer: { ...answer },
      said: summary
        ? say`${summary.major_behind} a major version behind, ${summary.minor_behind} behind, ${summary.up_to_date - ended - newest} current, ${newest > 0 && say`${newest} newest known by old facts, `}${ended} newest but retired, moved or out of support, ${summary.unknown} unknown.`
        : say`The server gives no summary.`,
    }
  },
}

export const explainGate: Tool = {
  name: 'explain_gate',
  title: 'Why the gate decided so',
  description: 'Shows the recorded verdict of the gate on a run, rule by rule, with the exceptions that were used.',
  route: 'getReport',
  properties: { ...clusterProperties, run_id: runProperty },
  lists: [],
  async ask(call, args, { now }) {
    const run = await findRun(call, args)
    const answer = await call('getReport', { params: { run_id: run.run_id }, query: {} })
    const { gate } = answer
    const rules = gate?.policies?.flatMap(({ rules }) => rules) ?? []
    const not = rules.filter(({ verdict }) => verdict !== 'passed').length
    return {
      about: {
        ...aboutRun(answer, now),
        undecided: gate
          ? sentences(viewRecordedGate(gate, judgedRun(answer, now), { now }).gaps)
          : [say`No gate has judged this run.`],
      },
      answer: { ...answer },
      said: gate
        ? say`The gate ${safe(gate.verdict === 'undecided' ? 'is undecided' : gate.verdict)}: ${not} of ${safe(count(rules.length, 'rule'))} did not pass.`
        : say`No verdict is recorded.`,
    }
  },
}

/** A run by its id, else the latest of the cluster. Throws `not_found`. */
async function findRun(call: Ask, { run_id, cluster_name, environment }: ToolArguments) {
  if (run_id !== undefined) {
    return (await call('getReport', { params: { run_id: String(run_id) }, query: {} })) as ReceivedRun
  }
  const named = { ...(cluster_name !== undefined && { cluster_name: String(cluster_name) }) }
  const { items } = await call('listReports', {
    query: { ...named, ...(environment !== undefined && { environment: String(environment) }), per_page: 1 },
  })
  if (items[0]) return items[0] as ReceivedRun
  throw new ReltError('not_found', 'There is no run of this cluster. List the clusters with fleet_status.')
}

function aboutRun(run: ReceivedRun | null, now: number): Partial<About> {
  if (!run) return { undecided: [say`The run is unknown.`] }
  const { cluster_name, environment, run_id, total_checks } = run
  const { named, unnamed } = checksNotRun(run)
  const missing = named.length + unnamed
  return {
    cluster_name,
    environment,
    run_id,
    ...ageOfOldest([scannedAt(run)], now),
    coverage: { checks: total_checks ?? null, checks_not_run: missing },
    undecided: missing > 0 ? [say`${safe(count(missing, 'check'))} did not run.`] : [],
  }
}

/** Artifacts that the catalog does not know, in a sentence. */
export function unknownArtifacts(coverage: ReceivedFreshness['coverage']) {
  const unknown = coverage ? coverage.artifacts - coverage.known - (coverage.managed ?? 0) : 0
  return unknown > 0 ? [say`Nothing is known about ${safe(count(unknown, 'artifact'))}.`] : []
}
