import * as fc from 'fast-check'
import { expect } from 'vitest'
import { type Route, routes } from '../../src/contract/routes.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { scan } from '../reports/scan.ts'
import { openHttp } from './http.ts'

const table = Object.values(routes) as Route[]

const odd = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    '-1',
    '1.5',
    'true',
    'null',
    '%',
    "'",
    '"',
    '../..',
    '__proto__',
    '\u0000',
    '9'.repeat(30),
  ),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
)
const value = fc.oneof(odd, fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 3 }))

/** A call of some route with parameters, query and body of any kind, under the names that it knows and others. */
const request = fc.nat(table.length - 1).chain((index) => {
  const route = table[index]!
  const names = (schema: Route['query']) => [...Object.keys(schema.def.shape), 'x', 'constructor']
  return fc.record({
    route: fc.constant(route),
    params: fc.array(odd, { minLength: 3, maxLength: 3 }),
    query: fc.dictionary(fc.constantFrom(...names(route.query)), odd, { maxKeys: 4 }),
    body: fc.option(
      fc.oneof(
        fc.dictionary(fc.constantFrom(...(route.body ? names(route.body) : ['x']), 'report'), value, { maxKeys: 5 }),
        value,
      ),
      { nil: undefined },
    ),
    signedIn: fc.boolean(),
  })
})

/** Every answer is one of the contract, never a failure of the server; and it goes on answering. */
export async function answerGenerated(count: number): Promise<void> {
  const { app, call, signUp } = await openHttp()
  const { headers } = await signUp('ada', { plan: 'pro_plus', role: 'admin' })
  await call('/cluster-reports', { headers, body: { report: scan([{}]) } })
  await fc.assert(
    fc.asyncProperty(request, async ({ route, params, query, body, signedIn }) => {
      let next = 0
      const path = route.path.replace(/\{\w+\}/g, () => encodeURIComponent(params[next++]!.toWellFormed()) || '%20')
      const search = new URLSearchParams(query)
      const response = await app.request(`/api/relt/v1${path}?${search}`, {
        method: route.method,
        headers: { ...(signedIn && headers), ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && route.method !== 'GET' && { body: JSON.stringify(body) ?? 'null' }),
      })
      expect(response.status, `${route.method} ${path}?${search} ${JSON.stringify(body)}`).toBeLessThan(500)
      await response.arrayBuffer()
    }),
    { numRuns: count },
  )
  expect((await call('/stats')).status).toBe(200)
}
