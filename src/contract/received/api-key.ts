import * as z from 'zod/mini'
import * as ours from '../api-key.ts'
import { received } from './received.ts'

const ApiKey = received(ours.ApiKey, ['uuid', 'name', 'created'])
export type ApiKey = z.infer<typeof ApiKey>

export const Keys = z.object({ keys: z.array(ApiKey), limit: z.int(), count: z.int(), remaining: z.int() })

export const CreatedKey = z.object({ success: z.literal(true), password: z.string(), item: ApiKey })

export const CurrentKey = z.object({
  success: z.literal(true),
  user_login: z.string(),
  plan: z.string(),
  key: z.optional(ApiKey),
})
export type CurrentKey = z.infer<typeof CurrentKey>
