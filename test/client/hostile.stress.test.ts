import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { version } from '../../src/version.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { gzipBomb } from '../helpers/gzip-bomb.ts'
import { json, openHostile, projectPage } from './hostile.ts'

const password = 'abcd efgh ijkl mnop qrst uvwx'
const encoded = Buffer.from(`ada:${password}`).toString('base64')

/** A command as somebody signed in runs it; nothing it prints may hold the secret. */
async function ask(url: string, argv: string, options: { columns?: number; timeout?: number } = {}) {
  const home = temporaryFolder()
  const { columns, timeout } = options
  writeFileSync(join(home, 'config.json'), JSON.stringify({ ...(timeout && { timeout }) }))
  const env = { RELT_SERVER: url, RELT_USERNAME: 'ada', RELT_PASSWORD: password, NO_COLOR: '1' }
  const result = await runCli(`${argv} --verbose`.split(' '), { home, env, ...(columns && { columns }) })
  for (const secret of [password, password.replaceAll(' ', ''), encoded]) {
    expect(result.stdout + result.stderr).not.toContain(secret)
  }
  return { ...result, error: result.stderr.split('\n').filter((line) => /^(error|hint): /.test(line)) }
}

const host = (url: string) => new URL(url).host
const checkAddress = 'hint: Check that the address is that of the interface, such as https://host/api/relt/v1.'
const checkBefore = 'hint: Check the address of the server, and whether a proxy answers in its place.'

describe('an answer that is no answer', () => {
  test.each<[string, (response: ServerResponse) => void, code: number, error: string[]]>([
    [
      'HTML',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>'),
      1,
      ['error: The server answered with a page for people.', checkAddress],
    ],
    ['nothing', (response) => response.end(), 1, ["error: The server's answer is empty.", checkAddress]],
    [
      'half of JSON',
      (response) => response.writeHead(200, json).end('{"items": ['),
      1,
      ["error: The server's answer is not valid JSON: it ends too early.", checkAddress],
    ],
    [
      'deep JSON',
      (response) => response.writeHead(200, json).end('['.repeat(100_000)),
      1,
      ["error: The server's answer is nested more than 64 levels deep.", checkAddress],
    ],
    [
      'a key that reaches prototypes',
      (response) => response.writeHead(200, json).end('{"items": [], "__proto__": {"a": 1}}'),
      1,
      ['error: The server\'s answer has a key named "__proto__".', checkAddress],
    ],
    [
      'a text where a number belongs',
      (response) => response.writeHead(200, json).end(projectPage().replace('"id":1', '"id":"1"')),
      1,
      [
        "error: The server's answer is not what the contract says: field items.0.id: number is expected.",
        'hint: Check that the address is that of the interface, and that server and client have the same version.',
      ],
    ],
    [
      'a list',
      (response) => response.writeHead(200, json).end('[]'),
      1,
      [
        "error: The server's answer is not what the contract says: it as a whole: object is expected.",
        'hint: Check that the address is that of the interface, and that server and client have the same version.',
      ],
    ],
    [
      'what is no gzip and says it is',
      (response) => response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('{}{}{}'),
      1,
      ['error: The answer of HOST is not a whole gzip stream.'],
    ],
    [
      'a gzip stream without its end',
      (response) =>
        response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(gzipSync(projectPage()).subarray(0, 60)),
      1,
      ['error: The answer of HOST is not a whole gzip stream.'],
    ],
    [
      'an error page',
      (response) => response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>oops</h1>'),
      1,
      ['error: The server answered 500, and its body is no JSON.', checkBefore],
    ],
    [
      'that it has no such route',
      (response) =>
        response
          .writeHead(404, { ...json, 'x-relt-version': '0.0.9' })
          .end('{"code":"rest_no_route","message":"No route was found for this address and method."}'),
      3,
      [
        'error: No route was found for this address and method.',
        `hint: This is relt ${version}, the server has 0.0.9: it may be too old for this command.`,
      ],
    ],
    [
      'JSON that is no error of ours',
      (response) => response.writeHead(418, json).end('{"message": ["x"]}'),
      2,
      ['error: The server answered 418, and not as the contract says.', checkBefore],
    ],
  ])('%s is told', async (_, answer, code, error) => {
    const { url, requests } = await openHostile((_request, response) => answer(response))
    const result = await ask(url, 'projects search argo')
    expect(result).toMatchObject({ code, stdout: '' })
    expect(result.error.map((line) => line.replaceAll(host(url), 'HOST'))).toEqual(error)
    expect(requests).toHaveLength(1)
  })
})

test('a missing parameter under the name of another implementation is a mistake of the caller, too', async () => {
  const body = { code: 'rest_missing_callback_param', message: 'Missing parameter(s): report', data: { status: 400 } }
  const { url } = await openHostile((_request, response) => response.writeHead(400, json).end(JSON.stringify(body)))
  const { code, stderr } = await ask(url, 'reports list --json')
  expect(code).toBe(2)
  expect(JSON.parse(stderr.split('\n').at(-2)!).error).toMatchObject({
    code: 'rest_invalid_param',
    message: body.message,
  })
})

describe('a server in trouble', () => {
  test.each([429, 502, 503, 504])('is asked again after %i', async (status) => {
    const { url, requests } = await openHostile((_request, response, count) =>
      count < 3
        ? response.writeHead(status, { ...json, 'retry-after': '0' }).end('{}')
        : response.writeHead(200, json).end(projectPage()),
    )
    expect(await ask(url, 'profiles list --json')).toMatchObject({ code: 0 })
    expect(requests).toHaveLength(3)
  })

  test.each([
    [429, 'rest_too_many_requests'],
    [503, 'relt_busy'],
    [504, 'relt_unreachable'],
  ])('that stays in it with %i is left, and the exit code says to try again', async (status, code) => {
    const body = { code, message: 'Not now.', data: { status } }
    const { url, requests } = await openHostile((_request, response) =>
      response
        .writeHead(status, { ...json, 'retry-after': '0', 'x-request-id': 'abc-123', 'x-relt-version': '9.9' })
        .end(JSON.stringify(body)),
    )
    const result = await ask(url, 'reports list --json')
    expect(result).toMatchObject({ code: 7, stdout: '' })
    const { error } = JSON.parse(result.stderr.split('\n').at(-2)!)
    expect(error).toEqual({
      code,
      message: 'Not now.',
      hint: 'Try again.',
      request_id: 'abc-123',
      server_version: '9.9',
    })
    expect(requests).toHaveLength(4)
  })

  test('that wants us to wait long is not waited for', async () => {
    const { url, requests } = await openHostile((_request, response) =>
      response.writeHead(429, { ...json, 'retry-after': '3600' }).end('{"code": "x", "message": "Slow down."}'),
    )
    const { code, error } = await ask(url, 'reports list')
    expect({ code, error }).toEqual({ code: 7, error: ['error: Slow down.', 'hint: Try again in 3600 seconds.'] })
    expect(requests).toHaveLength(1)
  })

  test('is not asked twice for what may not be repeated', async () => {
    const { url, requests } = await openHostile((request) => request.socket.destroy())
    const { code } = await ask(url, 'api POST /toggle-sub -F product_id=3')
    expect(code).toBe(7)
    expect(requests).toHaveLength(1)
  })

  test.each([
    ['before its answer', (response: ServerResponse) => response.socket?.destroy()],
    [
      'in the middle of its answer',
      (response: ServerResponse) => {
        response.writeHead(200, { ...json, 'content-length': '5000' }).write('{"items": [')
        setTimeout(() => response.socket?.destroy(), 20)
      },
    ],
  ])('that ends the connection %s is asked again', async (_, drop) => {
    const { url, requests } = await openHostile((_request, response, count) =>
      count === 1 ? drop(response) : response.writeHead(200, json).end(projectPage()),
    )
    expect(await ask(url, 'profiles list --json')).toMatchObject({ code: 0 })
    expect(requests).toHaveLength(2)
  })

  test('that always ends the connection is told', async () => {
    const { url, requests } = await openHostile((request) => request.socket.destroy())
    const { code, error } = await ask(url, 'projects search argo')
    expect(code).toBe(7)
    expect(error).toEqual([
      `error: ${host(url)} does not answer: it ended the connection.`,
      'hint: Check the address and the network, and try again.',
    ])
    expect(requests).toHaveLength(4)
  })

  test.each([
    ['says nothing', () => {}],
    ['stops in the middle', (response: ServerResponse) => void response.writeHead(200, json).write('{')],
    [
      'sends a letter now and then',
      (response: ServerResponse) => {
        response.writeHead(200, json)
        const timer = setInterval(() => response.write(' '), 50)
        response.on('close', () => clearInterval(timer))
      },
    ],
  ])('that %s is left after the time-out', async (_, answer) => {
    const { url } = await openHostile((_request, response) => answer(response))
    const { code, error } = await ask(url, 'projects search argo', { timeout: 1 })
    expect(code).toBe(7)
    expect(error[0]).toBe(`error: ${host(url)} does not answer: it took too long.`)
  })

  test('that is not there is told', async () => {
    const { code, error } = await ask('http://127.0.0.1:1', 'projects search argo')
    expect({ code, error: error[0] }).toEqual({
      code: 7,
      error: 'error: 127.0.0.1:1 does not answer: nothing listens there.',
    })
  })
})

describe('an answer without end', () => {
  const chunk = Buffer.alloc(1024 * 1024, 0x20)

  test('is cut off, whatever its length says', async () => {
    let sent = 0
    const { url } = await openHostile((_request, response) => {
      response.writeHead(200, json)
      const pump = () => {
        while (sent < 1024 && !response.destroyed) {
          sent++
          if (!response.write(chunk)) return void response.once('drain', pump)
        }
        response.end()
      }
      pump()
    })
    const { code, error } = await ask(url, 'projects search argo')
    expect({ code, error }).toEqual({ code: 1, error: [`error: The answer of ${host(url)} is larger than 128 MB.`] })
    expect(sent).toBeLessThan(256)
  })

  test('is not begun when its length is told', async () => {
    const { url, requests } = await openHostile((_request, response) => {
      response.writeHead(200, { ...json, 'content-length': String(2 ** 30) }).write(' ')
    })
    expect(await ask(url, 'projects search argo')).toMatchObject({ code: 1 })
    expect(requests).toHaveLength(1)
  })

  test('is cut off while it is unpacked', async () => {
    const bomb = gzipBomb(300 * 1024 * 1024)
    const { url } = await openHostile((_request, response) =>
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb),
    )
    const { code, error } = await ask(url, 'projects search argo')
    expect({ code, error }).toEqual({ code: 1, error: [`error: The answer of ${host(url)} is larger than 128 MB.`] })
  })
})

describe('a server that sends on', () => {
  test.each(['reports list', 'projects list', 'api POST /labels -f a=b'])(
    'to another one is not followed: relt %s',
    async (argv) => {
      const other = await openHostile((_request, response) => response.writeHead(200, json).end('{}'))
      const { url } = await openHostile((request, response) =>
        response.writeHead(307, { location: other.url + request.url }).end(),
      )
      const { code, error } = await ask(url, argv)
      expect(code).toBe(1)
      expect(error).toEqual([
        expect.stringContaining(`error: The server sends on to ${other.url}/api/relt/v1/`),
        'hint: Nothing was sent there. If that is the right address, sign in to it: relt auth login URL',
      ])
      expect(other.requests).toEqual([])
    },
  )

  test('to another address of its own is followed, with credentials', async () => {
    const { url, requests } = await openHostile((request, response) =>
      request.url?.includes('/moved')
        ? response.writeHead(200, json).end('{"page":1,"per_page":20,"total":0,"total_pages":0,"items":[]}')
        : response.writeHead(308, { location: '/moved/reports' }).end(),
    )
    expect(await ask(url, 'profiles list --json')).toMatchObject({ code: 0 })
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([`Basic ${encoded}`, `Basic ${encoded}`])
  })

  test('in circles is left', async () => {
    const { url, requests } = await openHostile((request, response) =>
      response.writeHead(302, { location: request.url! }).end(),
    )
    const { code, error } = await ask(url, 'reports list')
    expect({ code, error }).toEqual({
      code: 1,
      error: [`error: ${host(url)} sends from one address to the next without end.`],
    })
    expect(requests).toHaveLength(6)
  })

  test('without saying where to is told', async () => {
    const { url } = await openHostile((_request, response) => response.writeHead(302).end())
    expect((await ask(url, 'reports list')).error).toEqual([`error: ${host(url)} sends on, but does not say where to.`])
  })
})

describe('escape sequences', () => {
  const evil = '\u001b]0;owned\u0007\u001b[2J\u009b31mred\u202e\r\nline'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  const steering = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/

  test.each(['projects list', 'projects search x', 'projects list --json'])(
    'in every text of an answer do nothing to a terminal: relt %s',
    async (argv) => {
      const { url } = await openHostile((_request, response) => response.writeHead(200, json).end(projectPage(evil)))
      const { code, stdout, stderr } = await ask(url, argv, { columns: 120 })
      expect(code).toBe(0)
      expect(stdout).toContain('owned')
      expect(stdout + stderr).not.toMatch(steering)
    },
  )

  test('in an error do nothing to a terminal', async () => {
    const body = { code: 'rest_invalid_param', message: evil, data: { status: 400, params: { [evil]: evil } } }
    const { url } = await openHostile((_request, response) =>
      response.writeHead(400, { ...json, 'x-request-id': 'a b' }).end(JSON.stringify(body)),
    )
    const { code, stderr } = await ask(url, 'projects list', { columns: 120 })
    expect(code).toBe(2)
    expect(stderr).toContain('owned')
    expect(stderr).not.toMatch(steering)
  })
})

test('the catalog is asked without credentials, and with them when the server wants them', async () => {
  const { url, requests } = await openHostile((request, response) =>
    request.headers.authorization
      ? response.writeHead(200, json).end(projectPage())
      : response.writeHead(401, json).end('{"code": "rest_forbidden", "message": "Sign in.", "data": {"status": 401}}'),
  )
  expect(await ask(url, 'projects list --json')).toMatchObject({ code: 0 })
  expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined, `Basic ${encoded}`])
})

test('what may be null may be left out by a server, and what is unknown is ignored', async () => {
  const page = JSON.parse(projectPage())
  delete page.items[0].helm_chart_repo
  page.items[0].more = { than: 'we know' }
  const { url } = await openHostile((_request, response) => response.writeHead(200, json).end(JSON.stringify(page)))
  const { stdout } = await ask(url, 'projects list --json')
  const { more: _, ...known } = page.items[0]
  expect(JSON.parse(stdout).items).toEqual([{ ...known, helm_chart_repo: null }])
})
