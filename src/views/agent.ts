import type { AgentRecord, SilentCluster } from '../contract/agent.ts'
import { parseTimestamp, type UnixSeconds } from '../util/time.ts'
import { count, number } from '../util/words.ts'
import { type Said, safe, say, type Tone } from './said.ts'
import { columnsOf, counted, type ViewVerdict } from './view.ts'

/** An agent sends a heartbeat every 5 minutes; a CronJob every 15. */
const silentAfterSeconds = 30 * 60

const isPast = (at: string | null, now: UnixSeconds) =>
  (parseTimestamp(at ?? '') ?? Number.POSITIVE_INFINITY) < now - silentAfterSeconds
const isLost = ({ last_seen_at }: AgentRecord, now: UnixSeconds) =>
  (parseTimestamp(last_seen_at) ?? 0) < now - silentAfterSeconds
const isFailed = (outcome: string | null) => outcome === 'failed' || outcome === 'missed'

/** Tone for the outcome of a job. */
export function outcomeTone(outcome: string | null | undefined): Tone | undefined {
  if (outcome === 'done') return 'good'
  if (outcome === 'skipped') return 'warn'
  return isFailed(outcome ?? null) ? 'bad' : undefined
}

/** Never green, because silence is only detected for clusters with expected reports. */
export function agentsVerdict(
  { items, silent_clusters }: { items: AgentRecord[]; silent_clusters: SilentCluster[] },
  now: UnixSeconds,
): ViewVerdict {
  const silent = silent_clusters.length
  const lost = items.filter((agent) => isLost(agent, now)).length
  const failed = items.flatMap(({ jobs }) => jobs).filter(({ last_outcome }) => isFailed(last_outcome)).length
  const facts = [
    ...(silent > 0 ? [`${count(silent, 'cluster')} silent`] : []),
    ...(failed > 0 ? [`${count(failed, 'job')} failed or missed`] : []),
    ...(lost > 0 ? [`${number(lost)} of ${count(items.length, 'agent')} not heard of for 30 minutes`] : []),
  ]
  const calm = items.length === 0 ? 'No agent reports here' : count(items.length, 'agent')
  const isOpen = items.length === 0 || lost > 0
  return {
    state: silent + failed > 0 ? 'failed' : isOpen ? 'undecided' : 'stated',
    words: [safe(facts.join(', ') || calm)],
    gaps: [say`relt reports silence only for clusters with an interval: relt clusters set NAME --every 24h`],
  }
}

/** Columns of agents that report to a server. */
export function agentColumns(now: UnixSeconds) {
  return columnsOf<AgentRecord>()({
    host: { title: 'Host', text: ({ host }) => host, reveals: 'text', tone: () => 'strong' },
    version: { text: ({ version }) => version, reveals: 'safe' },
    last_heartbeat: {
      title: 'Last heartbeat',
      text: ({ last_seen_at }) => last_seen_at,
      as: 'time',
      tone: (agent) => (isLost(agent, now) ? 'warn' : undefined),
      reveals: 'safe',
    },
    jobs: { title: 'Jobs', ...counted<AgentRecord>(({ jobs }) => jobs.length) },
    failed: counted<AgentRecord>(({ jobs }) => jobs.filter(({ last_outcome }) => isFailed(last_outcome)).length, {
      tone: 'bad',
    }),
    uploads_waiting: { title: 'Uploads waiting', ...counted<AgentRecord>((agent) => agent.uploads_waiting) },
  })
}

type JobOfAgent = AgentRecord['jobs'][number] & { host: string }

/** Columns of the jobs of all agents. */
export function jobColumns(now: UnixSeconds) {
  return columnsOf<JobOfAgent>()({
    job: { text: ({ name }) => name, reveals: 'text' },
    host: { title: 'Host', text: ({ host }) => host, reveals: 'text' },
    cluster: {
      reveals: 'cluster',
      data: ({ cluster_name }) => cluster_name,
      text: ({ cluster_name }) => cluster_name ?? 'by its reports',
    },
    last_outcome: {
      reveals: 'safe',
      data: ({ last_outcome }) => last_outcome,
      text: ({ last_outcome }) => last_outcome ?? 'not run yet',
      tone: ({ last_outcome }) => outcomeTone(last_outcome),
    },
    last: {
      title: 'Last',
      reveals: 'safe',
      as: 'time',
      data: ({ last_at }) => last_at,
      text: ({ last_at }) => last_at,
    },
    next: {
      reveals: 'safe',
      data: ({ next_at }) => next_at,
      text: ({ next_at }) => next_at ?? 'not scheduled',
      said: ({ next_at }) => nextSaid(next_at, now),
    },
  })
}

function nextSaid(at: string | null, now: UnixSeconds): Said {
  if (at === null) return say`not scheduled`
  const time = { ...safe(at), as: 'time' as const }
  return isPast(at, now) ? [safe('was due ', 'warn'), { ...time, tone: 'warn' }] : [time]
}
