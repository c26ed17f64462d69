import type { AuditEntry } from '../contract/account.ts'
import type { Db } from '../db/open.ts'
import { formatTimestamp } from '../util/time.ts'
import { type Page, pageFrom } from './page.ts'
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
  await db
    .insertInto('audit')
    .values({ at, user_id: user?.id ?? null, login: user?.login ?? null, action, subject, request_id: requestId })
    .execute()
}

/** Newest first. Users are found by login, also those that are gone. */
export async function listAudit(
  db: Db,
  filter: { login?: string | undefined },
  { page, perPage }: { page: number; perPage: number },
): Promise<Page<AuditEntry>> {
  let query = db.selectFrom('audit')
  if (filter.login !== undefined) query = query.where('login', '=', filter.login)
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await query
    .selectAll()
    .orderBy('id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  return pageFrom(
    rows.map((row) => ({ ...row, at: formatTimestamp(row.at) })),
    { page, perPage, total },
  )
}
