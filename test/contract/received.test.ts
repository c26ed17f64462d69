import { describe, expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod/mini'
import type { Concealed } from '../../src/contract/channels.ts'
import { listUnder, objectUnder, received } from '../../src/contract/received/received.ts'
import {
  type ReceivedAnswer,
  type RouteAnswer,
  type RouteName,
  type Routes,
  routes,
} from '../../src/contract/routes.ts'

const Strict = z.object({
  id: z.int(),
  name: z.nullable(z.string()),
  count: z.int(),
  level: z.enum(['low', 'high']),
  tags: z.array(z.string()),
  extra: z.optional(z.int()),
})
const Shape = received(Strict, ['id', 'name'])
const whole = { id: 1, name: 'a', count: 2, level: 'low', tags: ['x'], extra: 3 }
const nothing = { count: null, level: null, tags: null }

describe('a received shape', () => {
  test('takes what our service answers as it is', () => {
    expect(z.parse(Shape, whole)).toEqual(whole)
  })

  test("makes null of a field that is left out, and demands the interface's own", () => {
    expect(z.parse(Shape, { id: 1 })).toEqual({ id: 1, name: null, ...nothing })
    expect(z.safeParse(Shape, { name: 'a' }).success).toBe(false)
    expect(z.safeParse(Shape, { id: 'a' }).success).toBe(false)
    expect(z.safeParse(Shape, { id: 1, name: 5 }).success).toBe(false)
  })

  test.each([
    ['a count', { count: 'many' }],
    ['a count', { count: 1.5 }],
    ['a level', { level: 'Critical' }],
    ['a list', { tags: ['x', 7] }],
    ['a list', { tags: { length: 1 } }],
    ['an extension', { extra: 'x' }],
  ])('does not know %s of another type', (_, other) => {
    expect(z.parse(Shape, { id: 1, ...other })).toEqual({ id: 1, name: null, ...nothing })
  })
})

describe('a list whose envelope is not shown', () => {
  const List = listUnder(['items', 'runs'], z.object({ items: z.array(z.int()) }))

  test.each([[[1, 2]], [{ items: [1, 2] }], [{ runs: [1, 2] }], [{ items: 'two', runs: [1, 2] }]])(
    'is found in %j',
    (answer) => {
      expect(z.parse(List, answer)).toEqual({ items: [1, 2] })
    },
  )

  test.each([[{}], [{ others: [1] }], [null], ['[]'], [7]])('is not found in %j', (answer) => {
    expect(z.safeParse(List, answer).success).toBe(false)
  })
})

test('a thing whose envelope is not shown is found by itself and below a name', () => {
  const Thing = objectUnder('id', ['run'], z.object({ id: z.int() }))
  for (const answer of [{ id: 1 }, { run: { id: 1 } }, { id: 1, run: { id: 2 } }]) {
    expect(z.parse(Thing, answer)).toEqual({ id: 1 })
  }
  for (const answer of [{}, { run: [1] }, { run: null }, { other: { id: 1 } }]) {
    expect(z.safeParse(Thing, answer).success).toBe(false)
  }
})

test('each answer of our service is one that a client takes', () => {
  // A local client conceals the answers of the routes that say so, and no others.
  type Inner<T> = {
    [K in keyof T]: K extends 'subscriptions' ? (T[K] extends (infer S)[] ? Concealed<S>[] : T[K]) : T[K]
  }
  type Given<N extends RouteName> = Routes[N] extends { secrets: true }
    ? Concealed<Inner<RouteAnswer<N>>>
    : RouteAnswer<N>
  type Misfit = { [N in RouteName]: Given<N> extends ReceivedAnswer<N> ? never : N }[RouteName]
  expectTypeOf<Misfit>().toBeNever()
})

describe('an upload', () => {
  const accepts = async (answer: unknown) => z.safeParse(await routes.uploadReport.received(), answer).success

  test.each([
    [{ run_id: 'crun_a' }],
    [{ run_id: 'crun_a', success: false, processing_status: 'queued' }],
    [{ run_id: `crun_${'a-'.repeat(60)}`, ingested_at: 'now', duplicate: 'no' }],
  ])('is stored where there is a run id: %j', async (answer) => {
    expect(await accepts(answer)).toBe(true)
  })

  test.each([[{ success: true }], [{ run_id: '' }], [{ run_id: 'run 1' }], [{ run_id: 7 }], [[]]])(
    'is not where there is none: %j',
    async (answer) => {
      expect(await accepts(answer)).toBe(false)
    },
  )
})
