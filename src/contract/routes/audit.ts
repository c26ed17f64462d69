import * as z from 'zod/mini'
import { AuditEntry } from '../account.ts'
import { toRoutes } from '../route.ts'
import { paging, text, toPage } from '../shape.ts'

export const auditRoutes = toRoutes({
  listAudit: {
    method: 'GET',
    path: '/audit',
    summary: 'List who did what',
    access: 'admin',
    query: z.object({ login: z.optional(text(100)), ...paging }),
    answer: toPage(AuditEntry),
    components: { answer: 'AuditPage' },
    extension: true,
  },
})
