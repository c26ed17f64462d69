import { expect, test } from 'vitest'
import { dump } from '../../operations/service.ts'
import { everyRoute } from './all.ts'
import { inProcess, send, transports } from './ask.ts'
import type { World } from './world.ts'

const megabyte = 1_048_576

const noJson = [
  ...['{', '}', '[1', 'nul', '{"a":1}x', '{"a":}', "{'a':1}", ' ', '\u0000', '\u00ff'],
  ...['{"a":'.repeat(65), `${'['.repeat(65)}${']'.repeat(65)}`],
]
const noObjects = ['[]', '[{}]', '5', '"x"', 'true', 'null']
const prototypeNames = ['__proto__', 'constructor', 'prototype']

/** Bodies as a whole, of every route that has one. */
export function checkBodies(shared: () => World): void {
  const withBody = everyRoute.filter(([, { body }]) => body !== undefined)

  test.each(withBody)('of %s are JSON, objects, and of the right media type', async (name, _, rows) => {
    const world = shared()
    const call = await rows.good(world)
    const before = await dump(world.db)
    const post = (body: string, more = {}) =>
      send(world, name, call, { body, headers: { ...world.owner.headers, ...more } })
    for (const body of noJson) expect(await post(body), body).toEqual({ status: 400, code: 'rest_invalid_json' })
    for (const body of noObjects) {
      expect(await post(body), body).toEqual({ status: 400, code: 'rest_invalid_param', params: ['body'] })
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'x']) {
      const refused = { status: 415, code: 'rest_unsupported_media_type' }
      expect(await post('{}', { 'content-type': type }), type).toEqual(refused)
    }
    expect(await dump(world.db)).toEqual(before)
  })

  test.each(withBody)('of %s are as large as the limit, not larger', async (name, _, rows) => {
    const world = shared()
    const tooLarge = { status: 413, code: 'rest_upload_too_large' }
    const { headers } = world.owner
    const padded = async (length: number) => {
      const call = await rows.good(world)
      return send(world, name, call, { headers, body: JSON.stringify(call.body).padEnd(length) })
    }
    const declared = async (length: number) => {
      const call = await rows.good(world)
      return send(world, name, call, { headers: { ...headers, 'content-length': String(length) } })
    }
    const limit = name === 'uploadReport' ? 100 * megabyte : megabyte
    expect((await declared(limit)).status).toBeLessThan(300)
    expect(await declared(limit + 1)).toEqual(tooLarge)
    expect((await padded(megabyte)).status).toBeLessThan(300)
    const beyond = await padded(megabyte + 1)
    if (name === 'uploadReport') expect(beyond.status).toBeLessThan(300)
    else expect(beyond).toEqual(tooLarge)
  })

  test.each(withBody)('of %s reach no prototype, at no depth', async (name, _, rows) => {
    const world = shared()
    const call = await rows.good(world)
    const before = await dump(world.db)
    const objects = Object.entries(rows.body ?? {}).flatMap(([path, { ok }]) => (ok.some(isEmpty) ? [path] : []))
    for (const key of prototypeNames) {
      for (const path of ['', ...objects]) {
        const inner = `{"${key}":{"polluted":1}}`
        const text = path === '' ? inner : path.split('.').reduceRight((of, part) => `{"${part}":${of}}`, inner)
        const refused = await send(world, name, call, { body: text, headers: world.owner.headers })
        expect(refused, text).toEqual({ status: 400, code: 'rest_invalid_json' })
      }
    }
    expect(await dump(world.db)).toEqual(before)
    for (const key of prototypeNames) {
      const odd = JSON.parse(`{"${key}":{"polluted":1}}`)
      const own = await rows.good(world)
      const outcome = await inProcess(world, name, { ...own, body: Object.assign(odd, own.body) }, world.owner)
      expect(outcome.status).toBeLessThan(300)
    }
    expect({}).not.toHaveProperty('polluted')
  })

  test.each(everyRoute)('and queries of %s reach no prototype', async (name, _, rows) => {
    const world = shared()
    const odd = JSON.parse('{"__proto__":"x","constructor":"x","prototype":["x","x"],"__proto__[page]":"0"}')
    for (const [, ask] of transports) {
      const { query, ...call } = await rows.good(world)
      const outcome = await ask(world, name, { ...call, query: Object.assign(odd, query) }, world.owner)
      expect(outcome.status).toBeLessThan(300)
    }
    expect({}).not.toHaveProperty('polluted')
  })
}

const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
