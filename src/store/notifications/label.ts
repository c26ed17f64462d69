import { type Selectable, sql } from 'kysely'
import type { Label, LabelInput } from '../../contract/label.ts'
import { integers, withoutCase } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { Tables } from '../../db/schema/index.ts'
import { notFound } from '../../errors.ts'
import type { EveryKey } from '../../util/every-key.ts'

/** Sorted by name. */
export async function listLabels(db: Db, userId: number): Promise<Label[]> {
  const rows = await db
    .selectFrom('label')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('subscription_label')
        .select((count) => count.fn.countAll<number>().as('total'))
        .whereRef('label_id', '=', 'label.id')
        .as('total'),
    )
    .where('user_id', '=', userId)
    .orderBy(withoutCase(sql`name`))
    .orderBy('id')
    .execute()
  return rows.map(
    ({ id, name, color, total }): EveryKey<Label> => ({
      id,
      label_name: name,
      label_color: color,
      subscription_count: total ?? 0,
    }),
  )
}

/** The labels of all of a user's subscriptions, by subscription. */
export async function labelsOfSubscriptions(db: Db, userId: number) {
  const labels = await listLabels(db, userId)
  const pairs = await db
    .selectFrom('subscription_label')
    .innerJoin('subscription', 'subscription.id', 'subscription_id')
    .select(['subscription_id', 'label_id'])
    .where('user_id', '=', userId)
    .execute()
  const attached = Map.groupBy(pairs, (pair) => pair.subscription_id)
  return new Map(
    [...attached].map(([id, ofOne]) => {
      const ids = new Set(ofOne.map((pair) => pair.label_id))
      return [id, labels.filter((label) => ids.has(label.id))]
    }),
  )
}

/** Returns the id of the label. */
export async function insertLabel(trx: Db, userId: number, label: LabelInput) {
  const { id } = await trx
    .insertInto('label')
    .values({ user_id: userId, ...toColumns(label) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateLabel(trx: Db, id: number, label: LabelInput) {
  await trx.updateTable('label').set(toColumns(label)).where('id', '=', id).execute()
}

/** Also removes the label from all subscriptions. */
export async function deleteLabel(db: Db, userId: number, id: number) {
  const deleted = await db
    .deleteFrom('label')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  if (!deleted) throw notFound('label', id)
}

/** Idempotent. Throws `not_found` if a label belongs to another user, and then attaches none. */
export async function attachLabels(trx: Db, owned: { userId: number; subscriptionId: number }, labelIds: number[]) {
  const rows = await trx
    .selectFrom('label')
    .select('id')
    .where('user_id', '=', owned.userId)
    .where(sql<boolean>`id in ${integers(labelIds)}`)
    .execute()
  const known = new Set(rows.map((row) => row.id))
  const unknown = labelIds.find((id) => !known.has(id))
  if (unknown !== undefined) throw notFound('label', unknown)
  await sql`
    insert into subscription_label (subscription_id, label_id)
    select ${owned.subscriptionId}, id from label where id in ${integers(labelIds)}
    on conflict do nothing`.execute(trx)
}

/** Throws `not_found` if the label is not attached. */
export async function detachLabel(trx: Db, subscriptionId: number, labelId: number) {
  const deleted = await trx
    .deleteFrom('subscription_label')
    .where('subscription_id', '=', subscriptionId)
    .where('label_id', '=', labelId)
    .returning('label_id')
    .executeTakeFirst()
  if (!deleted) throw notFound('attached label', labelId)
}

function toColumns({ label_name, label_color }: LabelInput): Omit<Selectable<Tables['label']>, 'id' | 'user_id'> {
  return { name: label_name, color: label_color }
}
