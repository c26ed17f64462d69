import { describe, expect, test } from 'vitest'
import type { RouteName } from '../../../src/contract/routes.ts'
import { isOnPostgres } from '../../helpers/memory-store.ts'
import { dump } from '../../operations/service.ts'
import { everyRoute } from './all.ts'
import { type Outcome, transports } from './ask.ts'
import { namesIn } from './names-in.ts'
import type { Call, Rows } from './table.ts'
import type { Values } from './values.ts'
import { openWorld, type World } from './world.ts'

type Part = 'query' | 'body'
/** One value of one parameter. */
interface Row {
  part: Part
  /** As a refusal names it. */
  param: string
  /** Not given at all, when it is undefined. */
  value: unknown
  only?: 'in process'
}

const everyRow = everyRoute.filter(([, , rows]) => rows.query || rows.body)

/** Every parameter with values that it takes, and with values that it does not. */
export function checkParameters(shared: () => World): void {
  test.each(everyRoute)('%s has rows for each of its parameters', (name, route, rows) => {
    expect(Object.keys(rows.query ?? {}).sort(), name).toEqual(namesIn(route.query).sort())
    const ofBody = route.body ? namesIn(route.body) : []
    if (name === 'uploadReport') ofBody.push('report')
    expect(Object.keys(rows.body ?? {}).sort(), name).toEqual(ofBody.sort())
  })

  // Over HTTP values arrive as texts. In process they are part of the stress tests.
  describe.each(isOnPostgres ? transports : transports.slice(0, 1))('%s', (title, ask) => {
    /** Those of a route's rows that come out otherwise. */
    async function differing(world: World, { name, rows, kind, call }: Group): Promise<string[]> {
      const differing: string[] = []
      for (const row of toRows(rows, kind)) {
        if (row.only && row.only !== title) continue
        const outcome = await ask(world, name, callWith(await call(), row), world.owner)
        const { status, code, params } = outcome
        if (!isExpected(outcome, kind, row, rows))
          differing.push(`${row.param} ${shorten(row.value)}: ${status} ${code} ${params}`)
      }
      return differing
    }

    test.each(everyRow)('%s takes what is within the limits', async (name, _, rows) => {
      const world = await openWorld()
      expect(await differing(world, { name, rows, kind: 'ok', call: () => rows.good(world) })).toEqual([])
    })

    test.each(everyRow)('%s refuses the rest by name, and does nothing', async (name, _, rows) => {
      const world = shared()
      const call = await rows.good(world)
      const before = await dump(world.db)
      for (const kind of ['bad', 'unknown', 'missing'] as const) {
        expect(await differing(world, { name, rows, kind, call: () => call }), kind).toEqual([])
      }
      expect(await dump(world.db)).toEqual(before)
    })
  })
}

interface Group {
  name: RouteName
  rows: Rows
  kind: Kind
  /** What each value is put into. */
  call: () => Call | Promise<Call>
}

type Kind = 'ok' | 'bad' | 'unknown' | 'missing'

/** Each value of each parameter, by itself. */
export function toRows(rows: Rows, kind: Kind): Row[] {
  const parts: [Part, Record<string, Values>][] = [
    ['query', rows.query ?? {}],
    ['body', rows.body ?? {}],
  ]
  return parts.flatMap(([part, all]) =>
    Object.entries(all).flatMap(([name, values]) => {
      const param = name.replace('*', 'cpu_warning')
      const row = (value: unknown): Row => ({ part, param, value })
      const inside = (value: unknown): Row => ({ ...row(value), only: 'in process' })
      const { ok, bad, absent = [], unknown = [], required } = values
      const nothing = [undefined, ...absent]
      const isItem = /\.0$/.test(name)
      if (kind === 'ok') {
        return [
          ...ok.map(row),
          ...(values.inside?.ok ?? []).map(inside),
          ...(required || isItem ? [] : nothing.map(row)),
        ]
      }
      if (kind === 'bad') return [...bad.map(row), ...(values.inside?.bad ?? []).map(inside)]
      if (kind === 'unknown') return unknown.map(row)
      return required ? nothing.map(row) : []
    }),
  )
}

function isExpected({ status, code, params }: Outcome, kind: Kind, { param }: Row, rows: Rows): boolean {
  if (kind === 'ok') return status < 300 || (rows.mayFindNothing === true && status === 404)
  if (kind === 'unknown') return status === 404 && code === 'rest_no_route'
  return status === 400 && code === 'rest_invalid_param' && params?.join() === param
}

/** The call with this value in its place; objects and lists on the way there are made. */
export function callWith(call: Call, { part, param, value }: Row): Call {
  return { ...call, [part]: replaced(call[part] ?? {}, part === 'query' ? [param] : param.split('.'), value) }
}

function replaced(inside: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value
  const copy: Record<string, unknown> & unknown[] = structuredClone(inside ?? (key === '0' ? [] : {})) as never
  if (rest.length === 0 && value === undefined) delete copy[key]
  else copy[key] = replaced(copy[key], rest, value)
  return copy
}

const shorten = (value: unknown) => JSON.stringify(value)?.slice(0, 60)
