import type { Db } from '../db/open.ts'
import { metricsText } from '../metrics/text.ts'
import { countEnded } from '../store/fleet/agent-occurrence.ts'
import type { UnixSeconds } from '../util/time.ts'

export interface WaitingUploads {
  waiting: number
  /** Number of uploads that a server rejected. */
  refused: number
  /** When the oldest was queued; undefined if there are none. */
  oldestAt: UnixSeconds | undefined
}

export async function agentMetrics(
  db: Db,
  { uploads, running, now }: { uploads: WaitingUploads; running: number; now: UnixSeconds },
) {
  const ended = await countEnded(db)
  return metricsText([
    {
      name: 'relt_agent_occurrences',
      help: 'Occurrences of the last 90 days, by job and outcome',
      samples: ended.map(({ job, state, count }) => ({ labels: { job, outcome: state }, value: count })),
    },
    {
      name: 'relt_agent_last_success_timestamp_seconds',
      help: 'Time of the last success, by job',
      samples: ended
        .filter(({ state }) => state === 'done')
        .map(({ job, lastAt }) => ({ labels: { job }, value: lastAt })),
    },
    { name: 'relt_agent_running', help: 'Occurrences that run', samples: [{ value: running }] },
    { name: 'relt_agent_uploads_waiting', help: 'Uploads in the spool', samples: [{ value: uploads.waiting }] },
    {
      name: 'relt_agent_uploads_refused',
      help: 'Uploads in the spool that a server refused',
      samples: [{ value: uploads.refused }],
    },
    {
      name: 'relt_agent_oldest_upload_age_seconds',
      help: 'Age of the oldest upload in the spool; 0 without any',
      samples: [{ value: uploads.oldestAt === undefined ? 0 : Math.max(0, now - uploads.oldestAt) }],
    },
  ])
}
