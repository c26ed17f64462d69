import type { ReceivedAnswer, RouteAnswer, RouteInput, RouteName } from '../contract/routes.ts'
import type { Said } from '../views/said.ts'
import type { AnswerSchema } from './fence.ts'

/** A call of the contract in the name of the caller. Throws `ReltError`. */
export type Ask = <N extends RouteName>(name: N, input: RouteInput<N>) => Promise<ReceivedAnswer<N> | RouteAnswer<N>>

/** What an answer is about and rests on; it begins each answer. Null: not known, or not of one cluster. */
export interface About {
  cluster_name: string | null
  environment: string | null
  run_id: string | null
  /** Of the oldest scan that the answer rests on. */
  scanned_at: string | null
  age_seconds: number | null
  /** What was looked at, such as clusters and checks, by name. */
  coverage: Record<string, number | string | null>
  /** Why the answer is no all-clear, a sentence each. */
  undecided: Said[]
}

interface ToolAnswer {
  about: Partial<About>
  /** An answer of the contract. */
  answer: Record<string, unknown>
  /** The answer in a sentence or two. */
  said: Said
  /** How many rows there are in all, where the route has pages. */
  total?: number
}

/** Rows that are wanted: `limit` from `offset` on. */
export interface Rows {
  offset: number
  limit: number
}

export type ToolArguments = Record<string, string | number | boolean | undefined>

/** A question that a program may ask. It reads only. */
export interface Tool {
  name: string
  title: string
  description: string
  /** The route whose answer it gives. */
  route: RouteName
  /** Its arguments besides those of pages. */
  properties: Record<string, AnswerSchema>
  required?: string[]
  /** Members of the answer with rows: of each, `limit` are given at a time. */
  lists: readonly string[]
  /** The route itself has pages. */
  hasPages?: true
  ask: (ask: Ask, args: ToolArguments, context: { rows: Rows; now: number }) => Promise<ToolAnswer>
}
