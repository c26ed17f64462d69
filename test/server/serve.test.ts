import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { get } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { connect as tlsConnect } from 'node:tls'
import { describe, expect, test } from 'vitest'
import serveVerb from '../../src/cli/commands/serve/index.ts'
import { openDatabase } from '../../src/db/open.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { parse } from '../helpers/output.ts'
import { setPasswords } from '../helpers/passwords.ts'
import { reltFile, start } from '../helpers/process.ts'
import { now } from '../operations/service.ts'
import { scan } from '../reports/scan.ts'
import { basic } from './http.ts'
import { exchange, openServer } from './socket.ts'

describe('relt serve', () => {
  test('listens for this machine alone when nothing is said', async () => {
    expect(await parse(serveVerb as never, [])).toEqual([{ host: '127.0.0.1', port: 8787, ui: true }])
  })

  test('takes its options', async () => {
    const argv =
      '--host ::1 --port 0 --data d --trust-proxy --tls-cert c --tls-key k --no-ui --insecure-http --log-level warn'
    expect(await parse(serveVerb as never, argv.split(' '))).toEqual([
      {
        host: '::1',
        port: 0,
        ui: false,
        data: 'd',
        trustProxy: true,
        tlsCert: 'c',
        tlsKey: 'k',
        insecureHttp: true,
        logLevel: 'warn',
      },
    ])
  })

  test.each(['--port x', '--port 65536', '--port -1', '--port 1.5', '--log-level loud', 'extra'])(
    'refuses %s',
    async (argv) => {
      await expect(parse(serveVerb as never, argv.split(' '))).rejects.toThrow()
    },
  )

  const refused = async (argv: string) => {
    const { code, stdout, stderr } = await runCli(['serve', '--port', '0', ...argv.split(' ')], {
      home: temporaryFolder(),
    })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    return stderr
  }

  test.each(['0.0.0.0', '::', '192.0.2.1', 'example.com', '127.0.0.1.example.com'])(
    'does not show credentials to the network on %s',
    async (host) => {
      expect(await refused(`--host ${host}`)).toMatch(/plain HTTP.*\nhint: .*--tls-cert.*--insecure-http/)
    },
  )

  test('says what is wrong with a certificate', async () => {
    expect(await refused('--tls-cert /no/such/c.pem')).toContain('--tls-cert and --tls-key')
    expect(await refused('--tls-cert /no/such/c.pem --tls-key /no/such/k.pem')).toContain('/no/such/c.pem')
    const file = join(temporaryFolder(), 'no.pem')
    writeFileSync(file, 'no certificate')
    expect(await refused(`--tls-cert ${file} --tls-key ${file}`)).toContain('certificate')
  })

  test('says when its port is taken', async () => {
    const { port } = await openServer()
    const { code, stderr, stdout } = await runCli(['serve', '--port', String(port)], { home: temporaryFolder() })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`Cannot listen on 127.0.0.1 port ${port}: the port is in use.`)
    expect(stderr).toContain('hint: Choose another with --port.')
  })

  test('says when a rate limit is not a number', async () => {
    const env = { RELT_RATE_LIMIT_USER: 'many' }
    const { code, stderr } = await runCli(['serve', '--port', '0'], { home: temporaryFolder(), env })
    expect(code).toBe(2)
    expect(stderr).toContain('RELT_RATE_LIMIT_USER')
  })
})

/** A process that listens; its address and what it has printed. */
async function startProcess(home: string, argv: string[] = []) {
  const { child, finished } = start(reltFile, ['serve', '--port', '0', ...argv], { RELT_HOME: home })
  let stdout = ''
  child.stdout!.on('data', (text: string) => {
    stdout += text
  })
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stderr!.on('data', (more: string) => {
      text += more
      const found = /Listening on (\S+)\n/.exec(text)?.[1]
      if (found) resolve(found)
    })
    child.once('exit', () => reject(new Error(text)))
  })
  return { child, finished, url, stdout: () => stdout }
}

/** A request whose body never ends; "100 Continue" says that it has arrived. */
const unfinished =
  'POST /api/relt/v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n{'

/** A test that waits for so long fails by its own limit. */
const tooLongMs = 600_000

async function isListening({ hostname, port }: URL): Promise<boolean> {
  const socket = connect({ host: hostname, port: Number(port) })
  const { promise, resolve } = Promise.withResolvers<boolean>()
  socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
  const answer = await promise
  socket.destroy()
  return answer
}

describe('a server process', () => {
  test('makes a first admin once, and ends with 0 when it is told to', async () => {
    const home = temporaryFolder()
    const first = await startProcess(home)
    const saved = join(home, 'first-admin.json')
    await expect.poll(() => existsSync(saved)).toBe(true)
    const { login, password } = JSON.parse(readFileSync(saved, 'utf8'))
    const headers = { authorization: basic(login, password) }
    expect((await fetch(`${first.url}/api/relt/v1/existing-releases`, { headers })).status).toBe(200)
    first.child.kill('SIGTERM')
    expect(await first.finished).toMatchObject({ code: 0, signal: null })

    const second = await startProcess(home)
    expect((await fetch(`${second.url}/api/relt/v1/dashboard`, { headers })).status).toBe(200)
    second.child.kill('SIGINT')
    expect(await second.finished).toMatchObject({ code: 0, signal: null, stdout: '' })
  })

  test('ends at once when it is told twice, and otherwise waits for a request', async () => {
    const startBusy = async () => {
      const { child, finished, url } = await startProcess(temporaryFolder())
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' })
      socket.on('error', () => {})
      socket.write(unfinished)
      await once(socket, 'data')
      const tell = async () => {
        child.kill('SIGTERM')
        // Listening ends with the first signal, so a second one does not merge with it.
        await expect.poll(() => isListening(new URL(url))).toBe(false)
      }
      return { child, finished, tell }
    }
    const [twice, alone] = await Promise.all([startBusy(), startBusy()])
    await twice.tell()
    const both = [twice.finished.then(() => 'told twice'), alone.finished.then(() => 'told once')]
    alone.child.kill('SIGTERM')
    twice.child.kill('SIGTERM')
    expect(await Promise.race(both)).toBe('told twice')
    expect(await twice.finished).toMatchObject({ code: 0 })
    alone.child.kill('SIGKILL')
  })
})

describe('a server that stops', () => {
  test('finishes what runs and takes nothing new', async () => {
    const { url, port, stop, headers } = await openServer()
    const upload = request(`${url}/api/relt/v1/cluster-reports`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', expect: '100-continue' },
    })
    const arrived = once(upload, 'continue')
    const answered = once(upload, 'response')
    const body = JSON.stringify({ report: scan([{}]) })
    upload.write(body.slice(0, 20))
    await arrived
    const stopped = stop(tooLongMs)
    expect(await exchange(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')).toBe('')
    upload.end(body.slice(20))
    const [response] = await answered
    expect(response.statusCode).toBe(201)
    response.resume()
    await stopped
  })

  test('does not wait for connections that are idle', async () => {
    const { url, stop } = await openServer()
    await Promise.all(Array.from({ length: 20 }, async () => (await fetch(`${url}/healthz`)).text()))
    await stop(tooLongMs)
  })

  test('lets go of what does not end', async () => {
    const { port, stop } = await openServer()
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => {})
    socket.write(unfinished)
    await once(socket, 'data')
    const closed = once(socket, 'close')
    await stop(300)
    await closed
  })
})

/** Makes the certificate of the one test that needs it. */
const hasOpenssl = spawnSync('openssl', ['version']).status === 0

test('a store that has accounts gets no second admin', async () => {
  const data = temporaryFolder()
  const first = await openServer({ data })
  expect(first.told.admin).toMatchObject({
    login: 'admin',
    password: expect.stringMatching(/^(\w{4} ){5}\w{4}$/),
    team: 'default',
  })
  await first.stop()
  expect((await openServer({ data })).told.admin).toBeUndefined()
})

test('what is older than it is kept goes after the start, and the log says how much', async () => {
  const data = temporaryFolder()
  const first = await openServer({ data })
  await first.stop()
  const db = await openDatabase(join(data, 'relt.db'))
  await db
    .insertInto('audit')
    .values({ at: now - 2 * 86_400, action: 'test' })
    .execute()
  await db.destroy()
  const second = await openServer({ data }, { RELT_RETENTION_DAYS_AUDIT: '1' })
  await expect
    .poll(() => second.log.entries.at(-1))
    .toMatchObject({
      msg: 'old entries removed',
      days: { runs: 90, deliveries: 90, audit: 1 },
      removed: { runs: 0, deliveries: 0, audit: 1 },
    })
})

test('answers are the same over a socket', async () => {
  const { url, headers } = await openServer()
  const stats = await fetch(`${url}/api/relt/v1/stats`)
  expect(stats.headers.get('etag')).toMatch(/^"/)
  const projects = await fetch(`${url}/api/relt/v1/projects`)
  expect(projects.headers.get('content-encoding')).toBe('gzip')
  expect(((await projects.json()) as { items: unknown[] }).items).toHaveLength(20)
  const again = await fetch(`${url}/api/relt/v1/stats`, { headers: { 'if-none-match': stats.headers.get('etag')! } })
  expect(again.status).toBe(304)
  expect((await fetch(`${url}/api/relt/v1/labels`, { headers })).status).toBe(200)
  const deleted = await fetch(`${url}/api/relt/v1/labels/1`, { method: 'DELETE', headers, body: 'ignored' })
  expect(deleted.status).toBe(404)
})

test('behind a proxy each of its callers is limited alone', async () => {
  const { url } = await openServer({ trustProxy: true }, { RELT_RATE_LIMIT_ADDRESS: '2' })
  const ask = async (from: string) =>
    (await fetch(`${url}/api/relt/v1/stats`, { headers: { 'x-forwarded-for': `1.2.3.4, ${from}` } })).status
  expect([await ask('192.0.2.1'), await ask('192.0.2.1'), await ask('192.0.2.1')]).toEqual([200, 200, 429])
  expect(await ask('192.0.2.2')).toBe(200)
  const secure = await fetch(`${url}/api/relt/v1/stats`, {
    headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.3' },
  })
  expect(secure.headers.get('strict-transport-security')).toContain('max-age')
})

test('a session over TLS has a cookie for TLS alone', async () => {
  const data = temporaryFolder()
  const { url } = await openServer({ data, trustProxy: true })
  await setPasswords({ RELT_HOME: data }, ['admin'], 'a long password')
  const signIn = async (protocol: string) => {
    const body = JSON.stringify({ username: 'admin', password: 'a long password' })
    const headers = { 'content-type': 'application/json', 'x-forwarded-proto': protocol }
    return (await fetch(`${url}/api/relt/v1/session`, { method: 'POST', body, headers })).headers.get('set-cookie')
  }
  expect(await signIn('https')).toContain('; Secure')
  expect(await signIn('http')).not.toContain('Secure')
})

test.skipIf(!hasOpenssl)('over TLS it answers over TLS', async () => {
  const folder = temporaryFolder()
  const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const argv = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -keyout ${tlsKey} -out ${tlsCert}`
  execFileSync('openssl', argv.split(' '), { stdio: 'ignore' })
  const { url, told } = await openServer({ host: '0.0.0.0', tlsCert, tlsKey })
  expect(told.url).toMatch(/^https:/)
  const { port } = new URL(url)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(
      `https://127.0.0.1:${port}/api/relt/v1/stats`,
      { ca: readFileSync(tlsCert), servername: 'localhost' },
      resolve,
    ).on('error', reject)
  })
  response.resume()
  expect(response.statusCode).toBe(200)
  expect(response.headers['strict-transport-security']).toBeDefined()
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const
  const [refused] = await once(tlsConnect({ port: Number(port), ca: readFileSync(tlsCert), ...old }), 'error')
  expect(refused.code).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')
})

test('two requests on one connection are two answers', async () => {
  const { port } = await openServer()
  const get = (more: string) => `GET /healthz HTTP/1.1\r\nHost: x\r\n${more}\r\n`
  const answer = await exchange(port, get('') + get('Connection: close\r\n'))
  expect(answer.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
})
