import { listAudit } from '../../../store/accounts/audit.ts'
import type { Handlers } from '../../handler.ts'

export const auditHandlers: Handlers<'audit'> = {
  async listAudit({ db }, { query: { login, page, per_page: perPage } }) {
    return listAudit(db, { login }, { page, perPage })
  },
}
