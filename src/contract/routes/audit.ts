import * as z from 'zod/mini'
import { AuditEntry } from '../account.ts'
import { none, type Route } from '../route.ts'
import { page, perPage, text, toPage } from '../shape.ts'

export const auditRoutes = {
  listAudit: {
    method: 'GET',
    path: '/audit',
    summary: 'List who did what',
    access: 'admin',
    params: none,
    query: z.object({ login: z.optional(text(100)), page, per_page: perPage }),
    answer: toPage(AuditEntry),
    example: {
      answer: {
        ...{ page: 1, per_page: 20, total: 1, total_pages: 1 },
        items: [
          {
            ...{ id: 12, at: '2026-11-21 10:15:00', user_id: 1, login: 'ada', action: 'report.upload' },
            ...{ subject: 'crun_k3v7q2m5x4n6p2sa', request_id: '6f1f5a2b-1c3d-4d0a-9a55-0f9d7c528f6e' },
          },
        ],
      },
    },
    components: { answer: 'AuditPage' },
    extension: true,
  },
} as const satisfies Record<string, Route>
