import * as z from 'zod/mini'
import { requiredText, Timestamp } from './shape.ts'

export const ApiKey = z.object({
  uuid: z.string().check(z.regex(/^[0-9a-f-]+$/)),
  name: z.string(),
  created: Timestamp,
})
export type ApiKey = z.infer<typeof ApiKey>

export const ApiKeyInput = z.object({ name: requiredText(100) })
