import * as z from 'zod/mini'

/**
 * One route. Paths are relative to the base address. Access is `public` for anyone, `user` for any signed-in user, `pro` for
 * the plans Pro and Pro Plus, `admin` for that role.
 */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  access: 'public' | 'user' | 'pro' | 'admin'
  params: z.ZodMiniObject
  query: z.ZodMiniObject
  /** For an upload, the members around the report. */
  body?: z.ZodMiniObject
  answer: z.ZodMiniType
  /**
   * In which form a client takes the answer of any server, where that demands less than `answer`. A client in this process
   * does not load it.
   */
  received?: () => Promise<z.ZodMiniType>
  /** Status of success, if it is not 200. */
  status?: number
  /** Webhooks are in the answer, at its top or in its `subscriptions`: callers get them as secrets. */
  secrets?: true
  /** Open to the keys of a plan without keys, which sign in to nothing else. */
  anyPlan?: true
  /** Open to keys of scope `upload`, which call nothing else. Keys of scope `read` call every GET route. */
  forUploads?: true
  /** Under which name a call is kept in the audit. */
  audit?: string
  /** May take long: a server answers it in a worker thread, so that others need not wait. */
  heavy?: true
  /** Beyond the published interface. */
  extension?: true
}

export const none = z.object({})
export const Success = z.object({ success: z.literal(true) })
