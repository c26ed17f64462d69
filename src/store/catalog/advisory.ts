import { sql } from 'kysely'
import { integers, jsonTexts, texts } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { upsert } from '../../db/upsert.ts'
import type { Advisory } from '../../security/advisory.ts'
import { daySeconds } from '../../util/time.ts'

const foundDays = 7
const absentDays = 1
/** Advisory ids of releases older than this are looked up once only. */
const freshDays = 90
/** Maximum ids per release, because notes may list the ids of every dependency. */
const mostOfRelease = 10
const mostKept = 20_000

/** Ids mentioned by collected releases of some projects, newest first, that the store lacks or should check again. */
export async function listAdvisoriesToAsk(
  db: Db,
  { projectIds, now, most }: { projectIds: number[]; now: number; most: number },
) {
  const { rows } = await sql<{ id: string }>`
    select named.value as id from release cross join ${jsonTexts(sql`cve_list`, 'named')}
    where has_security_fix = 1 and origin != 'user' and named.key < ${mostOfRelease}
      and release.project_id in ${integers(projectIds)}
      and not exists (select 1 from advisory where id = named.value
        and (release.published_at < ${now - freshDays * daySeconds} or looked_at > ${now} - case when is_found = 1 then ${sql.lit(foundDays * daySeconds)} else ${sql.lit(absentDays * daySeconds)} end))
      and not exists (select 1 from project_advisory as own where own.project_id = release.project_id
        and (own.id = named.value or exists (select 1 from ${jsonTexts(sql`own.aliases`, 'alias')} where alias.value = named.value)))
    group by named.value order by max(published_at) desc, named.value limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

export interface AdvisoryLookup {
  id: string
  /** Undefined if the advisory does not exist. */
  advisory: Advisory | undefined
}

/** Saves each advisory under its other ids too. Removes the oldest lookups beyond a limit. */
export async function saveAdvisories(trx: Db, answers: AdvisoryLookup[], now: number) {
  for (const { id, advisory } of answers) {
    const ids = [id, ...(advisory?.aliases ?? [])]
    for (const one of ids) {
      const values = {
        is_found: advisory ? 1 : 0,
        aliases: JSON.stringify(ids.filter((other) => other !== one)),
        severity: advisory?.severity ?? 'none',
        summary: advisory?.summary ?? '',
        looked_at: now,
      }
      await upsert(trx, 'advisory', { id: one }, values)
    }
  }
  await sql`
    with old as materialized (
      select id from advisory order by looked_at desc, id limit ${sql.lit(Number.MAX_SAFE_INTEGER)} offset ${sql.lit(mostKept)})
    delete from advisory where id in (select id from old)`.execute(trx)
}

/** Stored advisories, of any age. */
export async function findAdvisories(db: Db, ids: string[]) {
  const rows = await db
    .selectFrom('advisory')
    .select(['id', 'aliases', 'severity', 'summary'])
    .where('is_found', '=', 1)
    .where(sql<boolean>`id in ${texts(ids)}`)
    .execute()
  return new Map(rows.map((row) => [row.id, { ...row, aliases: JSON.parse(row.aliases) as string[] }]))
}
