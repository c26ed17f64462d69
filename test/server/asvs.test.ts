import { globSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { openHttp } from './http.ts'

/** Requirements of the table in docs/security.md that belong to no other test. */
let http: Awaited<ReturnType<typeof openHttp>>
let headers: Record<string, string>
beforeAll(async () => {
  http = await openHttp({}, () => {})
  headers = (await http.signUp('ada', { plan: 'pro_plus' })).headers
  await http.call('/labels', { headers, body: { label_name: "o'brien", label_color: '#000000' } })
})

describe('V1.2.4: text of a request is a value of its query', () => {
  const texts = ["' OR '1'='1", "'; DROP TABLE label; --", '" OR 1=1 --', "\\'; SELECT 1", '%', '1) OR (1=1']

  test.each(texts)('%j finds nothing', async (text) => {
    const search = encodeURIComponent(text)
    expect(await http.call(`/projects?search=${search}`)).toMatchObject({ status: 200, body: { total: 0 } })
    expect(await http.call(`/findings?search=${search}&namespace=${search}`, { headers })).toMatchObject({
      status: 200,
    })
  })

  test.each(texts)('%j is stored as it is', async (text) => {
    await http.call('/labels', { headers, body: { label_name: text, label_color: '#000000' } })
    const { body } = await http.call('/labels', { headers })
    const names = Object.values(body.labels ?? body.items).map((label) => (label as { label_name: string }).label_name)
    expect(names).toEqual(expect.arrayContaining(["o'brien", text]))
  })
})

test('V1.3.2: the program evaluates no text', () => {
  const evaluating = globSync('src/**/*.ts').filter((file) =>
    /\beval\(|new Function\(|node:vm|eval: true|setTimeout\(['"`]/.test(readFileSync(file, 'utf8')),
  )
  // The query of the person at the terminal, `gc`, and the executable's own program in its workers.
  expect(evaluating.sort()).toEqual([
    'src/cli/output/jq.ts',
    'src/server/start-worker.ts',
    'src/util/release-memory.ts',
  ])
})

test('V4.1.1: each answer names its type and charset', async () => {
  for (const [path, type] of Object.entries({
    '/api/relt/v1/stats': 'application/json; charset=utf-8',
    '/api/relt/v1/nothing': 'application/json; charset=utf-8',
    '/sign-in': 'text/html; charset=utf-8',
    '/nothing': 'application/json; charset=utf-8',
    '/healthz': 'application/json; charset=utf-8',
  })) {
    const { headers } = await http.call(path, { absolute: true })
    expect([path, headers.get('content-type')]).toEqual([path, type])
  }
})

test('V6.2.6, V6.2.7: the password is typed hidden, and may come from a password manager or the clipboard', async () => {
  const { body } = await http.call('/sign-in', { absolute: true })
  expect(body).toMatch(/<input type="password" name="password" autocomplete="current-password" required/)
  expect(body).not.toMatch(/onpaste|autocomplete="off"/)
})
