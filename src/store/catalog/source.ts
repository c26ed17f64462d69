import { sql } from 'kysely'
import type { FiledSource } from '../../contract/catalog.ts'
import type { FailingSource } from '../../contract/cluster.ts'
import { projectSources, releaseSources, type SourceKind } from '../../contract/source-kind.ts'
import { jsonGroup } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { ProjectOrigin } from '../../db/schema/catalog.ts'
import type { Tables } from '../../db/schema/index.ts'
import { upsert } from '../../db/upsert.ts'
import { timestampOrNull } from '../../util/time.ts'

/** State that a collector needs for the next sync. */
interface StoredSourceState {
  etag?: string
  lastModified?: string
  cursor?: string
}

/** A project with the addresses of its releases. */
export interface TrackedProject {
  id: number
  slug: string
  name: string
  repoUrl: string
  helmChartRepo: string | null
  tagPattern: string | null
  /** Product name on endoflife.date, if different from the slug. */
  eolProduct: string | null
  chartNames: string[]
  /** `bundled`, or how it was added. */
  origin: ProjectOrigin
  /** Hosts that may receive the project's secret from the keychain. */
  secretHosts: string[]
  /** The addresses were set through the API, not by the operator. */
  hasSyncedAddress: boolean
  /** Every app release since this day is known, `YYYY-MM-DD`. */
  completeSince: string | null
}

/** Sorted by slug. */
export async function listTrackedProjects(db: Db): Promise<TrackedProject[]> {
  const rows = await db
    .selectFrom('project')
    .select(['id', 'slug', 'name', 'origin', 'repo_url as repoUrl', 'helm_chart_repo as helmChartRepo'])
    .select(['tag_pattern as tagPattern', 'eol_product as eolProduct', 'complete_since as completeSince'])
    .select(['secret_hosts', 'has_synced_address'])
    .select(
      sql<string>`(select ${jsonGroup(sql`name`, sql`name`)} from project_chart where project_id = project.id)`.as(
        'charts',
      ),
    )
    .orderBy('slug')
    .execute()
  return rows.map(({ secret_hosts, has_synced_address, charts, ...project }) => ({
    ...project,
    chartNames: JSON.parse(charts),
    secretHosts: JSON.parse(secret_hosts ?? '[]'),
    hasSyncedAddress: has_synced_address === 1,
  }))
}

export interface StoredSource {
  projectId: number
  kind: SourceKind
  url: string
  state: StoredSourceState
  outcome: Tables['source']['outcome']
  reason: string | null
  /** Times are unix seconds. */
  retryAt: number | null
  lookedAt: number
  answeredAt: number | null
  changedAt: number | null
}

export async function listSources(db: Db): Promise<StoredSource[]> {
  const rows = await db
    .selectFrom('source')
    .select(['project_id as projectId', 'kind', 'url', 'outcome', 'reason', 'retry_at as retryAt'])
    .select(['looked_at as lookedAt', 'answered_at as answeredAt', 'changed_at as changedAt'])
    .select(['etag', 'last_modified', 'cursor'])
    .execute()
  return rows.map(({ etag, last_modified: lastModified, cursor, ...source }) => ({
    ...source,
    state: {
      ...(etag !== null && { etag }),
      ...(lastModified !== null && { lastModified }),
      ...(cursor !== null && { cursor }),
    },
  }))
}

/** Project id → unix seconds of the last answer from this kind of source. */
export async function listAnswerTimes(db: Db, kind: SourceKind) {
  const rows = await db
    .selectFrom('source')
    .select(['project_id', 'answered_at'])
    .where('kind', '=', kind)
    .where('answered_at', 'is not', null)
    .execute()
  return new Map(rows.map((row) => [row.project_id, row.answered_at!]))
}

/** Records an answer that another store received; the next sync here sends an unconditional request. */
export async function saveAnswerTime(
  trx: Db,
  { projectId, kind, answeredAt }: { projectId: number; kind: SourceKind; answeredAt: number },
) {
  const values = { answered_at: answeredAt, etag: null, last_modified: null, cursor: null }
  await trx
    .insertInto('source')
    .values({ project_id: projectId, kind, url: '', outcome: 'unchanged', looked_at: answeredAt, ...values })
    .onConflict((conflict) => conflict.columns(['project_id', 'kind']).doUpdateSet(values))
    .execute()
}

/** Release sources that have ever answered, by project. */
export async function listFiledSources(db: Db) {
  const rows = await db
    .selectFrom('source')
    .select(['project_id', 'kind', 'url', 'answered_at'])
    .where('kind', 'in', releaseSources)
    .where('answered_at', 'is not', null)
    .orderBy('project_id')
    .orderBy('kind')
    .execute()
  const sources = rows.map(({ project_id, ...source }) => [project_id, source as FiledSource] as const)
  const grouped = Map.groupBy(sources, ([id]) => id)
  return new Map([...grouped].map(([id, own]) => [id, own.map(([, source]) => source)]))
}

/** Takes over later answer times from another store; the state for conditional requests does not change. */
export async function saveFiledSources(trx: Db, projectId: number, sources: FiledSource[]) {
  for (const { kind, url, answered_at } of sources) {
    await trx
      .insertInto('source')
      .values({ project_id: projectId, kind, url, outcome: 'unchanged', looked_at: answered_at, answered_at })
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'kind'])
          .doUpdateSet({ answered_at })
          .where((eb) => eb.or([eb('source.answered_at', 'is', null), eb('source.answered_at', '<', answered_at)])),
      )
      .execute()
  }
}

export interface SourceCheck
  extends Pick<StoredSource, 'projectId' | 'kind' | 'url' | 'outcome' | 'reason' | 'retryAt'> {
  /** If absent, the stored state does not change. */
  state?: StoredSourceState
  /** The response contained changes. */
  hasNews?: boolean
}

export async function saveSourceCheck(trx: Db, looked: SourceCheck, now: number) {
  const { projectId, kind, url, outcome, reason, retryAt, state, hasNews } = looked
  const answered = outcome === 'changed' || outcome === 'unchanged'
  const values = {
    url,
    outcome,
    reason,
    retry_at: retryAt,
    looked_at: now,
    ...(answered && { answered_at: now }),
    ...(hasNews && { changed_at: now }),
    ...(state && {
      etag: state.etag ?? null,
      last_modified: state.lastModified ?? null,
      cursor: state.cursor ?? null,
    }),
  }
  await upsert(trx, 'source', { project_id: projectId, kind }, values)
  const others = projectSources.filter((one) => one !== kind)
  // With a token or without, a project has another source.
  if (others.length < projectSources.length) {
    await trx.deleteFrom('source').where('project_id', '=', projectId).where('kind', 'in', others).execute()
  }
}

/** Number of sources that no longer answer, and the ones that have failed longest. One that never did is none. */
export async function summarizeSources(db: Db, limit: number) {
  const { total, failing } = await db
    .selectFrom('source')
    .select((eb) => [
      eb.fn.countAll<number>().as('total'),
      sql<number>`count(*) filter (where outcome not in ('changed', 'unchanged') and answered_at is not null)`.as(
        'failing',
      ),
    ])
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('source')
    .innerJoin('project', 'project.id', 'source.project_id')
    .select(['project.id', 'project.name', 'kind', 'outcome', 'answered_at'])
    .where('outcome', 'not in', ['changed', 'unchanged'])
    .where('answered_at', 'is not', null)
    .orderBy('answered_at')
    .orderBy('project.name')
    .limit(limit)
    .execute()
  return {
    total,
    failing,
    items: rows.map(({ id, name, kind, outcome, answered_at }) => ({
      product_id: id,
      name,
      kind,
      outcome: outcome as FailingSource['outcome'],
      answered_at: timestampOrNull(answered_at),
    })),
  }
}
