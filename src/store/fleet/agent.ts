import { sql } from 'kysely'
import type { AgentHeartbeat, AgentRecord } from '../../contract/agent.ts'
import type { Db } from '../../db/open.ts'
import { hasRows } from '../../db/page.ts'
import { daySeconds, formatTimestamp, timestampOrNull, type UnixSeconds } from '../../util/time.ts'

/** Maximum agents per account; beyond it, the one that was silent longest is deleted. */
const maxAgents = 1000
/** Limit on the jobs of all agents of an owner, which one response lists: room for 1,000 agents with 15 jobs each. */
const maxJobBytes = 4 * 2 ** 20
/** An agent that is silent for this long is deleted, with the reports that it promised. */
const forgetSeconds = 30 * daySeconds

/** Replaces this agent's previous heartbeat. An unchanged expectation keeps its start time. */
export async function saveHeartbeat(trx: Db, ownerId: number, heartbeat: AgentHeartbeat, now: UnixSeconds) {
  const { agent_id, host, version, uploads_waiting, jobs } = heartbeat
  const row = { host, version, uploads_waiting, last_seen_at: now, jobs: JSON.stringify(jobs) }
  const { id } = await trx
    .insertInto('agent')
    .values({ owner_id: ownerId, agent_id, first_seen_at: now, ...row })
    .onConflict((conflict) => conflict.columns(['owner_id', 'agent_id']).doUpdateSet(row))
    .returning('id')
    .executeTakeFirstOrThrow()
  const known = await trx.selectFrom('agent_cluster').selectAll().where('agent', '=', id).execute()
  const since = new Map(known.map((each) => [toKey(each), each.since]))
  await trx.deleteFrom('agent_cluster').where('agent', '=', id).execute()
  const rows = expectedOf(heartbeat).map((each) => ({ agent: id, ...each, since: since.get(toKey(each)) ?? now }))
  if (rows.length > 0) await trx.insertInto('agent_cluster').values(rows).execute()
  await removeOldest(trx, ownerId)
}

interface Expected {
  cluster_name: string
  environment: string
  expected_every: number
}

const toKey = ({ cluster_name, environment, expected_every }: Expected) =>
  JSON.stringify([cluster_name, environment, expected_every])

/** Expectations by cluster; of several jobs for one cluster, the most frequent counts. */
function expectedOf({ jobs }: AgentHeartbeat) {
  const expected = new Map<string, Expected>()
  for (const { cluster_name, environment = 'prod', expected_every } of jobs) {
    if (cluster_name === undefined || expected_every === undefined) continue
    const key = JSON.stringify([cluster_name, environment])
    const every = Math.min(expected_every, expected.get(key)?.expected_every ?? expected_every)
    expected.set(key, { cluster_name, environment, expected_every: every })
  }
  return [...expected.values()]
}

async function removeOldest(trx: Db, ownerId: number) {
  const order = sql`over (order by last_seen_at desc, id desc)`
  const counted = trx
    .selectFrom('agent')
    .select([
      'id',
      sql<number>`row_number() ${order}`.as('number'),
      sql<number>`sum(octet_length(jobs)) ${order}`.as('bytes'),
    ])
    .where('owner_id', '=', ownerId)
  const beyond = trx
    .selectFrom(counted.as('counted'))
    .select('id')
    .where((is) => is.or([is('number', '>', maxAgents), is('bytes', '>', maxJobBytes)]))
  await trx.deleteFrom('agent').where('id', 'in', beyond).execute()
}

/** Whether some agents have been silent long enough to be deleted. */
export function hasGoneAgents(db: Db, now: UnixSeconds) {
  return hasRows(db.selectFrom('agent').where('last_seen_at', '<', now - forgetSeconds))
}

export async function forgetGoneAgents(trx: Db, now: UnixSeconds) {
  await trx
    .deleteFrom('agent')
    .where('last_seen_at', '<', now - forgetSeconds)
    .execute()
}

/** Sorted by last heartbeat, latest first. */
export async function listAgents(db: Db, ownerId: number): Promise<AgentRecord[]> {
  const rows = await db
    .selectFrom('agent')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(({ agent_id, host, version, first_seen_at, last_seen_at, uploads_waiting, jobs }) => ({
    agent_id,
    host,
    version,
    uploads_waiting,
    first_seen_at: formatTimestamp(first_seen_at),
    last_seen_at: formatTimestamp(last_seen_at),
    jobs: (JSON.parse(jobs) as AgentHeartbeat['jobs']).map(toJob),
  }))
}

function toJob({ name, ...job }: AgentHeartbeat['jobs'][number]): AgentRecord['jobs'][number] {
  return {
    name,
    cluster_name: job.cluster_name ?? null,
    environment: job.environment ?? null,
    expected_every: job.expected_every ?? null,
    next_at: timestampOrNull(job.next_at),
    last_outcome: job.last_outcome ?? null,
    last_at: timestampOrNull(job.last_at),
  }
}
