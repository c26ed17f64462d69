import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { furnish, openServer } from './open.ts'
import { purpose, resources } from './resources.ts'
import { catalog, clusters, labelsAndKeys, states, user } from './routes.ts'
import { authentication, errors, limits } from './rules.ts'
import { ask, type Row, step, type Walk } from './walk.ts'

/**
 * A walk through the interface, sentence by sentence, against a server that listens. Rows of a section follow each other on
 * one store; the number in a title is the line of the interface.
 */
let walk: Walk
let stop: (() => Promise<void>) | undefined
beforeAll(async () => {
  walk = await openServer({}, (how) => {
    stop = how
  })
  await furnish(walk)
})
afterAll(() => stop?.())

const sections = { purpose, resources, states, catalog, user, labelsAndKeys, clusters, authentication, errors, limits }

describe.each(Object.entries(sections))('%s', (_, rows) => {
  test.each(rows.map((row): [title: string, row: Row] => [`line ${row.line}: ${row.says}`, row]))('%s', (_, row) =>
    step(walk, row),
  )
})

test('line 225: a revoked key no longer authenticates', async () => {
  const create: Row = { line: 225, says: '', ask: 'POST /api-keys', body: { name: 'short' } }
  const { body } = await ask(walk, create)
  const authorization = `Basic ${Buffer.from(`ada:${body.password}`).toString('base64')}`
  const use = () => ask(walk, { line: 225, says: '', ask: 'GET /dashboard', as: 'nobody', headers: { authorization } })
  expect((await use()).status).toBe(200)
  await ask(walk, { line: 225, says: '', ask: `DELETE /api-keys/${body.item.uuid}` })
  expect((await use()).status).toBe(401)
})

test('lines 280 and 298: beyond the rate, a caller waits 60 seconds at most', async () => {
  const limited = await openServer({ RELT_RATE_LIMIT_USER: '3' })
  const use = () => ask(limited, { line: 298, says: '', ask: 'GET /dashboard' })
  for (let i = 0; i < 3; i++) expect((await use()).status).toBe(200)
  const { status, headers } = await use()
  expect(status).toBe(429)
  expect(Number(headers.get('retry-after'))).toSatisfy((seconds: number) => seconds >= 1 && seconds <= 60)
})

/** Sentences that no request can show, or that say that the interface does not show something. */
const withoutRow: [lines: number[], why: string][] = [
  [[19, 27, 44, 48, 50, 68, 72, 76, 78, 97, 99, 106, 108, 116, 118, 123, 127, 137, 141], 'titles and heads of tables'],
  [[153, 155, 157, 162, 168, 172, 174, 186, 188, 198, 200, 210, 221, 231, 242, 256], 'titles and heads of tables'],
  [[266, 270, 274, 285, 287, 301], 'titles and heads of tables'],
  [[166, 196, 254, 283, 306], 'says what the interface does not show'],
  [[281], 'a fault of the server cannot be asked for; see errors.test.ts'],
  [[304], 'is about clients; see the client suite against other servers'],
]

test('each line with a sentence has a row, or a reason for none', () => {
  const walked = new Set(Object.values(sections).flatMap((rows) => rows.map(({ line }) => line)))
  const known = [...walked, ...withoutRow.flatMap(([lines]) => lines), 225, 280, 298]
  // Headings and lines of dashes are not sentences.
  const without = new Set([
    219, 1, 5, 17, 25, 28, 51, 79, 100, 109, 142, 158, 175, 189, 201, 211, 222, 232, 243, 275, 288,
  ])
  const empty = new Set([
    2, 4, 6, 8, 14, 16, 18, 20, 24, 26, 43, 45, 47, 49, 65, 67, 69, 71, 73, 75, 77, 94, 96, 98, 105, 107, 113,
  ])
  for (const line of [115, 117, 119, 122, 124, 126, 128, 130, 132, 134, 136, 138, 140, 148, 150, 152, 154, 156])
    empty.add(line)
  for (const line of [161, 163, 167, 169, 171, 173, 183, 185, 187, 195, 197, 199, 205, 207, 209, 218, 220])
    empty.add(line)
  for (const line of [226, 228, 230, 239, 241, 253, 255, 257, 265, 267, 269, 271, 273, 282, 284, 286, 300, 302])
    empty.add(line)
  const missing = Array.from({ length: 306 }, (_, i) => i + 1).filter(
    (line) => !known.includes(line) && !without.has(line) && !empty.has(line),
  )
  expect(missing).toEqual([])
})
