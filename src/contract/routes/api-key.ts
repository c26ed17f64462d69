import * as z from 'zod/mini'
import { ApiKey, ApiKeyInput } from '../api-key.ts'
import { none, type Route, Success } from '../route.ts'

export const apiKeyRoutes = {
  listKeys: {
    method: 'GET',
    path: '/api-keys',
    access: 'pro',
    params: none,
    query: none,
    answer: z.object({ keys: z.array(ApiKey), limit: z.int(), count: z.int(), remaining: z.int() }),
  },
  createKey: {
    method: 'POST',
    path: '/api-keys',
    access: 'pro',
    params: none,
    query: none,
    body: ApiKeyInput,
    answer: z.object({ success: z.literal(true), password: z.string(), item: ApiKey }),
    audit: 'key.create',
  },
  revokeKey: {
    method: 'DELETE',
    path: '/api-keys/{uuid}',
    access: 'pro',
    params: z.object({ uuid: z.string() }),
    query: none,
    answer: Success,
    audit: 'key.revoke',
  },
} as const satisfies Record<string, Route>
