import type { UnixSeconds } from '../../util/time.ts'
import { blob, integer, table, text } from './table.ts'

/** Facts about the store itself: which key seals it, which catalog it holds. */
export const meta = table('meta', { key: text().primaryKey(), value: text() }, { isWithoutRowId: true })

/** A key that seals or hashes, wrapped by the store's master key. */
export const dataKey = table(
  'data_key',
  {
    id: text().primaryKey(),
    purpose: text<'seal' | 'hash'>(),
    wrapped: blob(),
    master_key_id: text(),
    created_at: integer<UnixSeconds>(),
    /** Nothing new is sealed with it from then on. */
    retired_at: integer<UnixSeconds>().orNull(),
  },
  { isWithoutRowId: true },
)
