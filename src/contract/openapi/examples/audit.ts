import type { Example } from '../../route.ts'
import type { auditRoutes } from '../../routes/audit.ts'
import { at, runId, toPage } from './shared.ts'

export const auditExamples: Record<keyof typeof auditRoutes, Example> = {
  listAudit: {
    answer: toPage({
      ...{ id: 12, at, user_id: 1, login: 'ada', action: 'report.upload' },
      ...{ subject: runId, request_id: '6f1f5a2b-1c3d-4d0a-9a55-0f9d7c528f6e' },
    }),
  },
}
