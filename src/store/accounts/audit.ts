import type { AuditEntry } from '../../contract/account.ts'
import { builtOnce } from '../../db/fixed-query.ts'
import type { Db } from '../../db/open.ts'
import { selectPage } from '../../db/page.ts'
import type { Page, PageChoice } from '../../util/page.ts'
import { formatTimestamp } from '../../util/time.ts'
import type { User } from './user.ts'

export interface AuditRecord {
  /** Unix seconds. */
  at: number
  user: Pick<User, 'id' | 'login'> | undefined
  action: string
  subject: string | undefined
  requestId: string | undefined
}

export async function recordAudit(db: Db, record: AuditRecord): Promise<void> {
  const { at, user, action, subject = null, requestId = null } = record
  await insertEntry(db, { at, action, subject, requestId, userId: user?.id ?? null, login: user?.login ?? null })
}

interface NewEntry extends Pick<AuditRecord, 'at' | 'action'> {
  subject: string | null
  requestId: string | null
  userId: number | null
  login: string | null
}

const insertEntry = builtOnce((db, { at, action, subject, requestId, userId, login }: NewEntry) =>
  db.insertInto('audit').values({ at, user_id: userId, login, action, subject, request_id: requestId }),
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
