import { sql } from 'kysely'
import type { SilentCluster } from '../../contract/agent.ts'
import { greater } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { countRows } from '../../db/page.ts'
import { formatTimestamp, timestampOrNull, type UnixSeconds } from '../../util/time.ts'
import { placeKey } from './place.ts'

const kind = 'cluster.silent'

/** A cluster whose reports are expected at an interval and are overdue. */
export interface OverdueCluster {
  ownerId: number
  name: string
  environment: string
  expectedEvery: number
  /** Time of the last report; null if there was none. */
  lastReportAt: UnixSeconds | null
}

/**
 * Clusters whose reports are overdue; the grace period is a quarter of the interval. The interval is the cluster's own
 * setting, or else what its agents promise.
 */
export async function listOverdueClusters(
  db: Db,
  { ownerId, name, environment }: { ownerId?: number; name?: string; environment?: string },
  now: UnixSeconds,
) {
  const { rows } = await sql<OverdueCluster>`
    with expected as (
      select agent.owner_id, each.cluster_name as name, each.environment, each.expected_every as every, each.since
      from agent_cluster as each join agent on agent.id = each.agent
      union all
      select owner_id, name, environment, expected_every, cast(null as bigint) from cluster where expected_every is not null
    ), seen as (
      select expected.owner_id, expected.name, expected.environment, min(expected.since) as since,
        coalesce(cluster.expected_every, min(expected.every)) as every,
        (select run.ingested_at from run where run.cluster_id = cluster.id
          order by run.at desc, run.id desc limit 1) as last
      from expected left join cluster on cluster.owner_id = expected.owner_id
        and cluster.name = expected.name and cluster.environment = expected.environment
      group by 1, 2, 3, cluster.id, cluster.expected_every
    )
    select owner_id as "ownerId", name, environment, every as "expectedEvery", last as "lastReportAt" from seen
    where ${now} - ${greater(sql`coalesce(last, since, ${now})`, sql`coalesce(since, 0)`)} > every + every / 4
      ${ownerId === undefined ? sql`` : sql`and owner_id = ${ownerId}`}
      ${name === undefined ? sql`` : sql`and name = ${name}`}
      ${environment === undefined ? sql`` : sql`and environment = ${environment}`}
    order by 1, 2, 3`.execute(db)
  return rows
}

/** The interval of reports that an owner's agents promise for a cluster, and its start in unix seconds. */
export interface PromisedReports {
  name: string
  environment: string
  every: number
  since: UnixSeconds
}

/** By `placeKey`, sorted by cluster and environment; includes clusters that never reported. */
export async function findPromisedReports(db: Db, ownerId: number) {
  const rows = await db
    .selectFrom('agent_cluster as each')
    .innerJoin('agent', 'agent.id', 'each.agent')
    .select((eb) => [
      'each.cluster_name as name',
      'each.environment',
      eb.fn.min('each.expected_every').as('every'),
      eb.fn.min('each.since').as('since'),
    ])
    .where('agent.owner_id', '=', ownerId)
    .groupBy(['each.cluster_name', 'each.environment'])
    .orderBy('each.cluster_name')
    .orderBy('each.environment')
    .execute()
  return new Map(rows.map((each) => [placeKey(each), each]))
}

export interface OpenSilence {
  id: number
  ownerId: number
  key: string
  data: SilenceData
}

interface SilenceData {
  cluster_name: string
  environment: string
  expected_every: number
  last_report_at: UnixSeconds | null
}

/** `prod-eu/prod`, for logs and the audit. */
export const silenceSubject = (key: string) => (JSON.parse(key) as string[]).join('/')

export async function listOpenSilences(
  db: Db,
  filter: { ownerId?: number; key?: string } = {},
): Promise<OpenSilence[]> {
  let query = openEvents(db).select(['id', 'owner_id as ownerId', 'key', 'data'])
  if (filter.ownerId !== undefined) query = query.where('owner_id', '=', filter.ownerId)
  if (filter.key !== undefined) query = query.where('key', '=', filter.key)
  const rows = await query.orderBy('id').execute()
  return rows.map(({ data, ...row }) => ({ ...row, data: JSON.parse(data) as SilenceData }))
}

/** False if it is already open. */
export async function openSilence(trx: Db, cluster: OverdueCluster, now: UnixSeconds) {
  const { ownerId, name, environment, expectedEvery, lastReportAt } = cluster
  const data: SilenceData = {
    cluster_name: name,
    environment,
    expected_every: expectedEvery,
    last_report_at: lastReportAt,
  }
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('event')
    .values({ owner_id: ownerId, kind, key: placeKey(cluster), opened_at: now, data: JSON.stringify(data) })
    .onConflict((conflict) => conflict.columns(['owner_id', 'kind', 'key']).where('ended_at', 'is', null).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** False if it has already ended. */
export async function endSilence(trx: Db, id: number, now: UnixSeconds) {
  const { numUpdatedRows } = await trx
    .updateTable('event')
    .set({ ended_at: now })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function listSilentClusters(db: Db, ownerId: number): Promise<SilentCluster[]> {
  const query = openEvents(db).select(['opened_at', 'data']).where('owner_id', '=', ownerId)
  const rows = await query.orderBy('key').execute()
  return rows.map(({ opened_at, data }) => {
    const { last_report_at, ...cluster } = JSON.parse(data)
    return {
      ...cluster,
      last_report_at: timestampOrNull(last_report_at),
      silent_since: formatTimestamp(opened_at),
    }
  })
}

/** Counts silent clusters of all owners. */
export function countSilentClusters(db: Db) {
  return countRows(openEvents(db))
}

const openEvents = (db: Db) => db.selectFrom('event').where('kind', '=', kind).where('ended_at', 'is', null)
