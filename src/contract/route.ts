import * as z from 'zod/mini'
import { success } from './shape.ts'
import type { TeamRole } from './team.ts'

/**
 * A route. Paths are relative to the base URL. Access is `public` for anyone, `user` for any signed-in user, `pro` for the
 * plans Pro and Pro Plus, `admin` for that role.
 */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  access: 'public' | 'user' | 'pro' | 'admin'
  /**
   * The route uses resources of the caller's team, or else of the caller: clusters, runs, profiles. The required role in the
   * team: `viewer` to read, `member` to write, `owner` to delete.
   */
  role?: TeamRole
  /**
   * The route uses subscriptions and notifications: of the team that a request names, or else of the caller. The required
   * role in the team: `viewer` to read, `member` to write.
   */
  account?: TeamRole
  params: z.ZodMiniObject
  query: z.ZodMiniObject
  /** For an upload: the fields around the report. */
  body?: z.ZodMiniObject
  answer: z.ZodMiniType
  /**
   * Schema that a client uses for answers of any server, if it is looser than `answer`. Not loaded by a client in this
   * process.
   */
  received?: () => Promise<z.ZodMiniType>
  /** Status of a successful answer, if not 200. */
  status?: number
  /** The answer has webhooks, at its top level or in `subscriptions`: clients convert them to secrets. */
  secrets?: true
  /** Allowed for API keys of users whose plan has no API keys; these can call no other route. */
  anyPlan?: true
  /**
   * Allowed for API keys of scope `upload`, which can call no other route. Keys of scope `read` may call every GET route.
   */
  forUploads?: true
  /** Allowed for API keys of scope `metrics`, which can call no other route. */
  forMetrics?: true
  /** Changes nothing, whatever its method: API keys of scope `read` may call it. */
  onlyReads?: true
  /** Action name of a request in the audit log. */
  audit?: string
  /** May be slow: a server handles it in a worker thread, so that other requests need not wait. */
  heavy?: true
  /** Not part of the published API. */
  extension?: true
  /**
   * The answer is the same for all users: servers and clients cache it. With the query flag named here it is too large for
   * shared caches.
   */
  cachedPublicly?: true | { unless: string }
  /** A request changes publicly cached answers. */
  changesCatalog?: true
  /** A request changes facts about clusters: their figures are computed again. */
  changesFigures?: true
  /** The body has a scanner's report, which is sent as text, and the request may have an idempotency key. */
  carriesReport?: true
  /** Status of an answer with `duplicate: true`. */
  duplicateStatus?: number
  /** A server limits how many of these answers it creates in parallel: always, or with this query parameter. */
  largeAnswer?: true | { with: string }
  /** If the request accepts this media type, the answer is only this member, as text. */
  answersPlain?: { type: string; member: string }
  /** May return 409: success depends on other stored data. */
  conflicts?: true
  /** Summary in the OpenAPI description; derived from the route's name by default. */
  summary?: string
  /** Query parameters of which a request may have at most one. JSON Schema cannot express this for separate parameters. */
  atMostOne?: { parameters: string[]; rule: string }
  /** Routes whose parameter comes from this member of the answer. There is no link if the answer may lack the member. */
  links?: { parameter: string; member: string; to: string[] }[]
  /** Component names of this route's schemas in the OpenAPI description, if nothing else names them. */
  components?: { body?: string; answer?: string }
}

/** Whether shared caches may store the answer to this query. */
export function isCachedPublicly({ cachedPublicly }: Route, query: Record<string, unknown>) {
  if (!cachedPublicly || cachedPublicly === true) return cachedPublicly === true
  const flag = query[cachedPublicly.unless]
  return flag !== 'true' && flag !== '1'
}

export const none = z.object({})
export const Success = z.object(success)

/** A route as declared in its table: by default without parameters, and for the plans Pro and Pro Plus. */
type Declared = Omit<Route, 'access' | 'params' | 'query'> & Partial<Pick<Route, 'access' | 'params' | 'query'>>

const defaults = { access: 'pro', params: none, query: none } as const

type Filled<D> = D & Omit<typeof defaults, keyof D>

export function toRoutes<const T extends Record<string, Declared>>(table: T): { [N in keyof T]: Filled<T[N]> } {
  const filled = Object.entries(table).map(([name, route]) => [name, { ...defaults, ...route }])
  return Object.fromEntries(filled)
}
