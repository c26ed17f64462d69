import type { RouteName } from '../../../src/contract/routes.ts'
import type { Shape } from './shape.ts'
import type { Values } from './values.ts'
import type { World } from './world.ts'

/** A call as its caller means it; of an upload, the report is in the body. */
export interface Call {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: Record<string, unknown>
}

/** What must hold for a route, written down from the interface and not taken from the shapes that it checks. */
export interface Rows {
  /** A call that succeeds, each time it is made anew. */
  good: (world: World) => Call | Promise<Call>
  answer: Shape
  /** Further calls that succeed, with an answer of another form. */
  more?: { call: (world: World) => Call | Promise<Call>; answer: Shape }[]
  query?: Record<string, Values>
  /** Names of members in dots; `0` is any item of a list, `*` any name. */
  body?: Record<string, Values>
  /** A filter may be right and find nothing. */
  mayFindNothing?: true
}

export type Table<N extends RouteName> = Record<N, Rows>
