import type { Selectable } from 'kysely'
import type { AuditEntry } from '../../contract/account.ts'
import { builtOnce } from '../../db/fixed-query.ts'
import type { Db } from '../../db/open.ts'
import { selectPage } from '../../db/page.ts'
import type { Tables } from '../../db/schema/index.ts'
import type { Page, PageChoice } from '../../util/page.ts'
import { formatTimestamp } from '../../util/time.ts'
import type { User } from './user.ts'

export interface AuditRecord {
  /** Unix seconds. */
  at: number
  user: Pick<User, 'id' | 'login' | 'operator'> | undefined
  action: string
  subject: string | undefined
  requestId: string | undefined
}

export async function recordAudit(db: Db, record: AuditRecord) {
  const { at, action, subject = null, requestId: request_id = null } = record
  const user = record.user?.operator ?? record.user
  await insertEntry(db, { at, user_id: user?.id ?? null, login: user?.login ?? null, action, subject, request_id })
}

type NewEntry = Omit<Selectable<Tables['audit']>, 'id'>

const insertEntry = builtOnce((db, { at, user_id, login, action, subject, request_id }: NewEntry) =>
  db.insertInto('audit').values({ at, user_id, login, action, subject, request_id }),
)

/** Newest first. Users are matched by login, including removed ones. */
export function listAudit(
  db: Db,
  filter: { login?: string | undefined },
  choice: PageChoice,
): Promise<Page<AuditEntry>> {
  let query = db.selectFrom('audit')
  if (filter.login !== undefined) query = query.where('login', '=', filter.login)
  const ordered = query.selectAll().orderBy('id', 'desc')
  return selectPage(ordered, choice, (row) => ({ ...row, at: formatTimestamp(row.at) }))
}
