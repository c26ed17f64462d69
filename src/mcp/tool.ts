import type { ReceivedAnswer, RouteAnswer, RouteInput, RouteName } from '../contract/routes.ts'
import type { Said } from '../views/said.ts'
import type { AnswerSchema } from './fence.ts'

/** Calls the contract on behalf of the caller. Throws `ReltError`. */
export type Ask = <N extends RouteName>(name: N, input: RouteInput<N>) => Promise<ReceivedAnswer<N> | RouteAnswer<N>>

/** The subject and basis of an answer, at its start. Null: unknown, or not about one cluster. */
export interface About {
  cluster_name: string | null
  environment: string | null
  run_id: string | null
  /** Time of the oldest scan that the answer is based on. */
  scanned_at: string | null
  age_seconds: number | null
  /** Covered clusters, checks and so on, by name. */
  coverage: Record<string, number | string | null>
  /** Why the answer is no all-clear, one sentence each. */
  undecided: Said[]
}

interface ToolAnswer {
  about: Partial<About>
  /** The route's answer. */
  answer: Record<string, unknown>
  /** The answer in one or two sentences. */
  said: Said
  /** Number of all rows, if the route is paged. */
  total?: number
}

/** The requested rows: `limit` from `offset` on. */
export interface Rows {
  offset: number
  limit: number
}

export type ToolArguments = Record<string, string | number | boolean | undefined>

/** A read-only question that a program may ask. */
export interface Tool {
  name: string
  title: string
  description: string
  /** The route that answers it. */
  route: RouteName
  /** Its arguments besides paging. */
  properties: Record<string, AnswerSchema>
  required?: string[]
  /** Members of the answer with rows, `limit` of which are returned at a time. */
  lists: readonly string[]
  /** The route itself is paged. */
  hasPages?: true
  ask: (ask: Ask, args: ToolArguments, context: { rows: Rows; now: number }) => Promise<ToolAnswer>
}
