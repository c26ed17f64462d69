import * as z from 'zod/mini'
import * as ours from '../api-key.ts'
import { success } from '../shape.ts'
import { received } from './received.ts'

const ReceivedApiKey = received(ours.ApiKey, ['uuid', 'name', 'created'])
export type ReceivedApiKey = z.infer<typeof ReceivedApiKey>

export const Keys = z.object({ keys: z.array(ReceivedApiKey), limit: z.int(), count: z.int(), remaining: z.int() })

export const CreatedKey = z.object({ ...success, password: z.string(), item: ReceivedApiKey })

export const ReceivedKey = z.object({
  ...success,
  user_login: z.string(),
  plan: z.string(),
  key: z.optional(ReceivedApiKey),
  team: ours.CurrentKey.shape.team,
  teams: ours.CurrentKey.shape.teams,
})
export type ReceivedKey = z.infer<typeof ReceivedKey>
