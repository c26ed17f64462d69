import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { findCommentPlace } from '../../src/ci/comment/place.ts'
import { postComment } from '../../src/submit/post-comment.ts'
import { openConnection } from '../../src/util/http.ts'

interface Stored {
  id: number
  body: string
  author: { id: number; login: string; type: string }
}

interface Forge {
  comments: Stored[]
  /** Account of the token; undefined where the token may not ask. */
  me: Stored['author']
  mayAsk?: boolean
  mayWrite?: boolean
  /** Comments of each page that the token may not read: pages are shorter, and links lead on. */
  hidden?: number
  /** Answers of the next requests that write, before it is their turn. */
  refusals?: { status: number; headers?: Record<string, string>; body?: unknown }[]
}

const bot = { id: 41, login: 'github-actions[bot]', type: 'Bot' }
const person = { id: 7, login: 'somebody', type: 'User' }
const marker = '<!-- relt gate abc -->'

/** GitHub's and GitLab's routes of comments. */
async function startForge(forge: Forge) {
  const requests: string[] = []
  const toBody = async (request: IncomingMessage) => JSON.parse(Buffer.concat(await request.toArray()).toString())
  const server = createServer(async (request, response) => {
    const { method, url = '', headers } = request
    requests.push(`${method} ${url}`)
    const reply = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body))
    if (headers.authorization !== 'Bearer token-of-ci' && headers['private-token'] !== 'token-of-ci')
      return reply(401, {})
    const { pathname, searchParams } = new URL(url, 'http://here')
    if (pathname.endsWith('/user')) return forge.mayAsk ? reply(200, forge.me) : reply(403, { message: 'no' })
    if (method === 'GET') {
      const page = Number(searchParams.get('page'))
      const found = forge.comments.slice((page - 1) * 100, page * 100 - (forge.hidden ?? 0))
      if (forge.hidden && forge.comments.length > page * 100) {
        response.setHeader('link', `<${pathname}?page=${page + 1}>; rel="next", <${pathname}?page=9>; rel="last"`)
      }
      return reply(
        200,
        found.map(({ author, ...comment }) => ({ ...comment, author, user: author })),
      )
    }
    if (forge.mayWrite === false) return reply(403, { message: 'Resource not accessible by integration' })
    const { body } = await toBody(request)
    const refusal = forge.refusals?.shift()
    if (refusal) {
      for (const [name, value] of Object.entries(refusal.headers ?? {})) response.setHeader(name, value)
      return reply(refusal.status, refusal.body ?? {})
    }
    if (method === 'POST') {
      forge.comments.push({ id: forge.comments.length + 1, body, author: forge.me })
      return reply(201, {})
    }
    const comment = forge.comments.find(({ id }) => String(id) === pathname.split('/').at(-1))
    if (!comment) return reply(404, {})
    if (comment.author.id !== forge.me.id) return reply(403, { message: 'Resource not accessible by integration' })
    comment.body = body
    reply(200, {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

const github = (url: string) => ({
  ...{ GITHUB_ACTIONS: 'true', GITHUB_API_URL: url, GITHUB_REPOSITORY: 'shop/web', GITHUB_REF: 'refs/pull/12/merge' },
  GITHUB_TOKEN: 'token-of-ci',
})
const gitlab = (url: string) => ({
  ...{ GITLAB_CI: 'true', CI_API_V4_URL: `${url}/api/v4`, CI_PROJECT_ID: '9', CI_MERGE_REQUEST_IID: '12' },
  GITLAB_TOKEN: 'token-of-ci',
})

async function post(env: Record<string, string>, body: string, waits: number[] = []) {
  const found = findCommentPlace(env, undefined)
  if ('missing' in found) throw new Error(found.missing)
  const limits = {
    connectTimeoutMs: 5000,
    headersTimeoutMs: 5000,
    bodyTimeoutMs: 5000,
    maxBytes: 1e7,
    maxConnections: 1,
  }
  const proxies = { http: undefined, https: undefined, none: undefined }
  return postComment(found.place, {
    connect: (origin) => openConnection({ origin, proxies, ca: undefined, ...limits }),
    marker,
    body: `${marker}\n${body}`,
    wait: async (ms) => void waits.push(ms),
  })
}

const formatMessage = (posted: Promise<unknown>) => posted.catch((error: Error) => error.message)

test.each([
  ['github', github, false],
  ['github', github, true],
  ['gitlab', gitlab, true],
])('on %s writes one comment, and updates it', async (_, env, mayAsk) => {
  const forge = { comments: [] as Stored[], me: bot, mayAsk }
  const { url } = await startForge(forge)
  expect(await post(env(url), 'failed')).toBe('created')
  expect(await post(env(url), 'passed')).toBe('updated')
  expect(forge.comments.map(({ body }) => body)).toEqual([`${marker}\npassed`])
})

test('finds its comment behind many others', async () => {
  const others = Array.from({ length: 250 }, (_, index) => ({ id: index + 1, body: 'fine', author: person }))
  const forge = { comments: [...others, { id: 251, body: `${marker}\nold`, author: bot }], me: bot }
  const { url } = await startForge(forge)
  expect(await post(github(url), 'new')).toBe('updated')
  expect(forge.comments.length).toBe(251)
})

test('never changes a comment that another account made to look like its own', async () => {
  for (const mayAsk of [true, false]) {
    const planted = { id: 1, body: `${marker}\nplanted`, author: person }
    const forge = { comments: [planted], me: bot, mayAsk }
    const { url } = await startForge(forge)
    expect(await post(github(url), 'failed')).toBe('created')
    expect(forge.comments.map(({ body }) => body)).toEqual([`${marker}\nplanted`, `${marker}\nfailed`])
  }
})

test('names the permission that is missing, and nothing of the token', async () => {
  const { url } = await startForge({ comments: [], me: bot, mayWrite: false })
  const refused = await post(github(url), 'x').catch((error: Error) => error)
  expect(refused).toMatchObject({ message: expect.stringContaining('it needs pull-requests: write') })
  const wrong = await post({ ...github(url), GITHUB_TOKEN: 'another-token' }, 'x').catch((error: Error) => error)
  expect(wrong).toMatchObject({ message: expect.stringContaining('does not accept the token') })
  expect(JSON.stringify([refused, wrong])).not.toMatch(/token-of-ci|another-token/)
})

test('follows the links of pages that are short of comments', async () => {
  const others = Array.from({ length: 130 }, (_, index) => ({ id: index + 1, body: 'fine', author: person }))
  const forge = { comments: [...others, { id: 131, body: `${marker}\nold`, author: bot }], me: bot, hidden: 3 }
  const { url } = await startForge(forge)
  expect(await post(github(url), 'new')).toBe('updated')
})

test('writes a comment of its own beside that of another bot, and changes it from then on', async () => {
  const other = { id: 1, body: `${marker}\nof another app`, author: { ...bot, id: 99 } }
  const forge = { comments: [other] as Stored[], me: bot, mayAsk: false }
  const { url } = await startForge(forge)
  expect(await post(github(url), 'first')).toBe('created')
  expect(await post(github(url), 'second')).toBe('updated')
  expect(forge.comments.map(({ body }) => body.split('\n')[1])).toEqual(['of another app', 'second'])
})

test('says what the service says of a comment that it refuses', async () => {
  const body = { message: 'Validation Failed', errors: [{ code: 'custom', message: 'body is too \u001b[31mlong' }] }
  const { url } = await startForge({ comments: [], me: bot, refusals: [{ status: 422, body }] })
  const message = await formatMessage(post(github(url), 'x'))
  expect(message).toMatch(/^127\.0\.0\.1:\d+ answered 422: Validation Failed; body is too \s*\[31mlong\.$/)
})

test.each([
  ['retry-after', { status: 403, headers: { 'retry-after': '7' } }, [7000]],
  ['a 429', { status: 429, headers: { 'retry-after': '2' } }, [2000]],
  ['no requests left', { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' } }, [1000]],
])('waits for the end of a rate limit with %s', async (_, refusal, expected) => {
  const forge = { comments: [] as Stored[], me: bot, refusals: [refusal] }
  const { url } = await startForge(forge)
  const waits: number[] = []
  expect(await post(github(url), 'x', waits)).toBe('created')
  expect(waits).toEqual(expected)
  expect(forge.comments).toHaveLength(1)
})

test('gives up on a rate limit that lasts, and does not blame the token', async () => {
  const refusals = [{ status: 403, headers: { 'retry-after': '3600' } }]
  const { url } = await startForge({ comments: [], me: bot, refusals })
  expect(await formatMessage(post(github(url), 'x'))).toMatch(/limits the rate of requests, for 60 minutes from now\.$/)
})
