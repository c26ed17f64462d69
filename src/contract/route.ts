import * as z from 'zod/mini'
import type { TeamRole } from './team.ts'

/**
 * One route. Paths are relative to the base address. Access is `public` for anyone, `user` for any signed-in user, `pro` for
 * the plans Pro and Pro Plus, `admin` for that role.
 */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  access: 'public' | 'user' | 'pro' | 'admin'
  /**
   * The route is about what belongs to the caller's team, else to the caller: clusters, runs, profiles. The role that a
   * member of a team needs: `viewer` to read, `member` to write, `owner` to delete.
   */
  role?: TeamRole
  /**
   * The route is about subscriptions and notifications: those of the team that a request names, else the caller's own. The
   * role that a member of that team needs: `viewer` to read, `member` to write.
   */
  account?: TeamRole
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
  /** Open to keys of scope `metrics`, which call nothing else. */
  forMetrics?: true
  /** It changes nothing, whatever its method: keys of scope `read` may call it. */
  onlyReads?: true
  /** Under which name a call is kept in the audit. */
  audit?: string
  /** May take long: a server answers it in a worker thread, so that others need not wait. */
  heavy?: true
  /** Beyond the published interface. */
  extension?: true
  /**
   * The answer is the same for everyone: servers and clients cache it. With the query flag named here it is too large for
   * shared caches.
   */
  cachedPublicly?: true | { unless: string }
  /** A call changes answers that are cached publicly. */
  changesCatalog?: true
  /** A call changes what is known about clusters: their figures are made again. */
  changesFigures?: true
  /** The body carries a scanner's report, which travels as text, and the request may have an idempotency key. */
  carriesReport?: true
  /** Status of an answer with `duplicate: true`. */
  duplicateStatus?: number
  /** A server makes only a few of these answers at a time: always, or with this query parameter. */
  largeAnswer?: true | { with: string }
  /** This member of the answer alone, as text of this type, when the request accepts it. */
  answersPlain?: { type: string; member: string }
  /** May be refused with 409: success depends on other stored things. */
  conflicts?: true
  /** Of the OpenAPI description; made from the route's name by default. */
  summary?: string
  /** Query parameters of which a request has at most one. JSON Schema cannot say so of separate parameters. */
  atMostOne?: { parameters: string[]; rule: string }
  /** Routes that take a parameter from a member of this answer. An answer that may lack the member has no link. */
  links?: { parameter: string; member: string; to: string[] }[]
  /** Names of the shapes of this route as components of the OpenAPI description, where no other place names them. */
  components?: { body?: string; answer?: string }
}

export interface Example {
  params?: Record<string, string | number>
  query?: Record<string, string | number | boolean>
  body?: object
  answer: object
}

/** Whether shared caches may keep the answer to this query. */
export function isCachedPublicly({ cachedPublicly }: Route, query: Record<string, unknown>): boolean {
  if (!cachedPublicly) return false
  return cachedPublicly === true || !isSet(query[cachedPublicly.unless])
}

const isSet = (flag: unknown) => flag === 'true' || flag === '1'

export const none = z.object({})
export const Success = z.object({ success: z.literal(true) })

/** A route as its table declares it: without parameters and for the plans Pro and Pro Plus, unless it says otherwise. */
type Declared = Omit<Route, 'access' | 'params' | 'query'> & Partial<Pick<Route, 'access' | 'params' | 'query'>>

const defaults = { access: 'pro', params: none, query: none } as const

type Filled<D> = D & Omit<typeof defaults, keyof D>

export function toRoutes<const T extends Record<string, Declared>>(table: T): { [N in keyof T]: Filled<T[N]> } {
  const filled = Object.entries(table).map(([name, route]) => [name, { ...defaults, ...route }])
  return Object.fromEntries(filled)
}
