import type { Db } from '../../db/open.ts'
import type { StateFactKind, StateFactSource } from '../../db/schema/catalog.ts'
import { upsert } from '../../db/upsert.ts'

export type { RangeFileName, StateFactKind, StateFactSource } from '../../db/schema/catalog.ts'

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
  let query = stateFacts(db).orderBy('source').orderBy('kind')
  if (kinds) query = query.where('kind', 'in', kinds)
  return (await query.execute()).map(toStored)
}

export async function findStateFacts(
  db: Db,
  source: StateFactSource,
  kind: StateFactKind,
): Promise<StoredStateFacts | undefined> {
  const row = await stateFacts(db).where('source', '=', source).where('kind', '=', kind).executeTakeFirst()
  return row && toStored(row)
}

/** Replaces the facts of this source and kind. */
export async function saveStateFacts(trx: Db, { source, kind, facts, asOf, answeredAt, state }: StoredStateFacts) {
  const texts = { facts: JSON.stringify(facts), state: JSON.stringify(state) }
  const values = { ...texts, as_of: asOf, answered_at: answeredAt }
  await upsert(trx, 'state_fact', { source, kind }, values)
}

function stateFacts(db: Db) {
  return db
    .selectFrom('state_fact')
    .select(['source', 'kind', 'facts', 'as_of as asOf', 'answered_at as answeredAt', 'state'])
}

const toStored = ({
  facts,
  state,
  ...row
}: Omit<StoredStateFacts, 'facts' | 'state'> & Record<'facts' | 'state', string>) => ({
  ...row,
  facts: JSON.parse(facts) as unknown[],
  state: JSON.parse(state) as Record<string, string>,
})
