import { blob, table, text, time } from './table.ts'

/** Facts about the store itself, such as its key and the edition of its catalog. */
export const meta = table('meta', { key: text().primaryKey(), value: text() }, { isWithoutRowId: true })

/** A key for sealing or hashing, wrapped by the store's master key. */
export const dataKey = table(
  'data_key',
  {
    id: text().primaryKey(),
    purpose: text<'seal' | 'hash'>(),
    wrapped: blob(),
    master_key_id: text(),
    created_at: time(),
    /** From this time on, no new data is sealed with it. */
    retired_at: time().orNull(),
  },
  { isWithoutRowId: true },
)
