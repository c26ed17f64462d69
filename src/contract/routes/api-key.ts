import * as z from 'zod/mini'
import { ApiKey, ApiKeyInput, CurrentKey, EndedWithKey, MadeByKey } from '../api-key.ts'
import { Success, toRoutes } from '../route.ts'
import { documented, success } from '../shape.ts'

const params = z.object({ uuid: documented(z.string(), { type: 'string', pattern: '^[0-9a-f-]+$' }) })

export const apiKeyRoutes = toRoutes({
  listKeys: {
    method: 'GET',
    path: '/api-keys',
    components: { answer: 'ApiKeyList' },
    access: 'user',
    anyPlan: true,
    /** `count` excludes expired keys. */
    answer: z.object({ keys: z.array(ApiKey), limit: z.int(), count: z.int(), remaining: z.int() }),
    received: async () => (await import('../received/api-key.ts')).Keys,
  },
  getCurrentKey: {
    method: 'GET',
    path: '/api-keys/current',
    summary: 'Get the caller and its key',
    access: 'user',
    anyPlan: true,
    forUploads: true,
    role: 'viewer',
    answer: CurrentKey,
    received: async () => (await import('../received/api-key.ts')).ReceivedKey,
    extension: true,
  },
  createKey: {
    method: 'POST',
    path: '/api-keys',
    links: [{ parameter: 'uuid', member: 'item/uuid', to: ['revokeKey', 'listMade'] }],
    components: { answer: 'ApiKeyCreated' },
    body: ApiKeyInput,
    answer: z.object({ ...success, password: z.string(), item: ApiKey }),
    received: async () => (await import('../received/api-key.ts')).CreatedKey,
    audit: 'key.create',
  },
  listMade: {
    method: 'GET',
    path: '/api-keys/{uuid}/made',
    summary: 'List what was made with an API key',
    access: 'user',
    anyPlan: true,
    params,
    answer: MadeByKey,
    components: { answer: 'MadeByKey' },
    extension: true,
  },
  /** `made=end` also revokes everything created with the key. */
  revokeKey: {
    method: 'DELETE',
    path: '/api-keys/{uuid}',
    access: 'user',
    anyPlan: true,
    components: { answer: 'KeyRevoked' },
    params,
    query: z.object({ made: z.optional(z.enum(['end'])) }),
    answer: z.extend(Success, { ended: z.optional(EndedWithKey) }),
    audit: 'key.revoke',
  },
})
