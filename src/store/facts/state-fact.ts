import type { Selectable } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { StateFactKind, StateFactSource } from '../../db/schema/catalog.ts'
import type { Tables } from '../../db/schema/index.ts'

export type { StateFactKind, StateFactSource } from '../../db/schema/catalog.ts'

export interface StoredStateFacts {
  source: StateFactSource
  kind: StateFactKind
  facts: unknown[]
  /** Day of the facts according to the source. */
  asOf: string | null
  /** Unix seconds. */
  answeredAt: number | null
  /** State for conditional requests. */
  state: Record<string, string>
}

export async function listStateFacts(db: Db, kinds?: StateFactKind[]): Promise<StoredStateFacts[]> {
  let query = db.selectFrom('state_fact').selectAll().orderBy('source').orderBy('kind')
  if (kinds) query = query.where('kind', 'in', kinds)
  return (await query.execute()).map(toStored)
}

export async function findStateFacts(
  db: Db,
  source: StateFactSource,
  kind: StateFactKind,
): Promise<StoredStateFacts | undefined> {
  const row = await db
    .selectFrom('state_fact')
    .selectAll()
    .where('source', '=', source)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row && toStored(row)
}

/** Replaces the facts of this source and kind. */
export async function saveStateFacts(
  trx: Db,
  { source, kind, facts, asOf, answeredAt, state }: StoredStateFacts,
): Promise<void> {
  const values = {
    facts: JSON.stringify(facts),
    as_of: asOf,
    answered_at: answeredAt,
    state: JSON.stringify(state),
  }
  await trx
    .insertInto('state_fact')
    .values({ source, kind, ...values })
    .onConflict((conflict) => conflict.columns(['source', 'kind']).doUpdateSet(values))
    .execute()
}

function toStored(row: Selectable<Tables['state_fact']>): StoredStateFacts {
  return {
    source: row.source,
    kind: row.kind,
    facts: JSON.parse(row.facts),
    asOf: row.as_of,
    answeredAt: row.answered_at,
    state: JSON.parse(row.state),
  }
}
