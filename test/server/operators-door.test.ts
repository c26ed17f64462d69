import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/cli.ts'
import { freePort } from '../helpers/free-port.ts'
import { reltFile, start } from '../helpers/process.ts'
import { basic, openHttp } from './http.ts'
import { openServer } from './socket.ts'

/** As in docs/operations.md; fail2ban takes the time out of a line before it looks for the address. */
const failregex = () => {
  const written = /^failregex = (.+)$/m.exec(readFileSync('docs/operations.md', 'utf8'))![1]!
  return new RegExp(written.replace('<ADDR>', '(?<address>[\\d.]+|[\\da-fA-F:]+)'))
}
const withoutTime = (line: string) => line.replace(/"time":"[^"]*"/, '')

test('a request is a line with its caller, route, path, size and time', async () => {
  const { call, signUp, log } = await openHttp()
  const { headers } = await signUp('ada')
  const { body } = await call('/projects/1?secret=query', {
    headers: { ...headers, 'x-request-id': 'request-1' },
    from: '192.0.2.1',
  })
  expect(log.entries).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      client: '192.0.2.1',
      user: 'ada',
      method: 'GET',
      route: 'getProject',
      path: '/api/relt/v1/projects/1',
      status: 200,
      bytes: Buffer.byteLength(JSON.stringify(body)),
      ms: expect.any(Number),
      request_id: 'request-1',
    },
  ])
})

test('fail2ban finds the address of refused credentials, and of nothing else', async () => {
  const { call, log } = await openHttp()
  const wrong = { headers: { authorization: basic('ada', 'wrong') }, from: '192.0.2.7' }
  await call('/stats', wrong)
  for (let i = 0; i < 12; i++) await call('/stats', wrong)
  await call('/dashboard', { from: '192.0.2.8' })
  await call('/x"client":"192.0.2.9","refused":"key"', { from: '192.0.2.8' })
  const found = log.text.split('\n').map((line) => failregex().exec(withoutTime(line))?.groups?.address)
  expect(found.filter((address) => address !== undefined)).toEqual(Array(13).fill('192.0.2.7'))
})

test('a key in a path is not logged', async () => {
  const { call, signUp, log } = await openHttp()
  const { headers, key } = await signUp('ada')
  for (const id of [key.replaceAll(' ', ''), encodeURIComponent(key)]) {
    await call(`/api-keys/${id}`, { method: 'DELETE', headers })
  }
  expect(log.text).toContain('/api-keys/***')
  expect(log.text).not.toContain(key.slice(0, 4))
})

test('metrics can be closed with a token, or moved to a port of this machine', async () => {
  const { call } = await openHttp({ metrics: { token: 'a token' } })
  const ask = async (authorization?: string) =>
    (await call('/metrics', { absolute: true, ...(authorization && { headers: { authorization } }) })).status
  expect([await ask(), await ask('Bearer another'), await ask('Bearer a token')]).toEqual([401, 401, 200])
  const { call: callOther } = await openHttp({ metrics: 'elsewhere' })
  expect((await callOther('/metrics', { absolute: true })).status).toBe(404)
  const port = await freePort()
  const { url } = await openServer({}, { RELT_METRICS_PORT: String(port) })
  expect((await fetch(`${url}/metrics`)).status).toBe(404)
  expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain('relt_http_requests_total')
})

test('the first key goes to a file of its owner alone, not into a pipe', async () => {
  const home = temporaryFolder()
  const { child, finished } = start(reltFile, ['serve', '--port', '0'], { RELT_HOME: home })
  let text = ''
  child.stderr!.on('data', (more: string) => {
    text += more
  })
  const file = join(home, 'first-admin.json')
  await expect.poll(() => text).toContain(file)
  const { login, password } = JSON.parse(readFileSync(file, 'utf8'))
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const url = /Listening on (\S+)/.exec(text)![1]
  const headers = { authorization: basic(login, password) }
  expect((await fetch(`${url}/api/relt/v1/dashboard`, { headers })).status).toBe(200)
  child.kill('SIGTERM')
  const { stdout, stderr } = await finished
  expect(stderr).toContain(file)
  expect(stdout + stderr).not.toContain(password)
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

test.skipIf(!hasOpenssl)(
  'SIGHUP takes a new certificate and new settings, and keeps the old ones when they are wrong',
  async () => {
    const home = temporaryFolder()
    const [cert, key] = [join(home, 'cert.pem'), join(home, 'key.pem')]
    const certify = (name: string) =>
      execFileSync(
        'openssl',
        `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=${name} -keyout ${key} -out ${cert}`.split(
          ' ',
        ),
        { stdio: 'ignore' },
      )
    certify('one')
    const { child, finished } = start(reltFile, ['serve', '--port', '0', '--tls-cert', cert, '--tls-key', key], {
      RELT_HOME: home,
    })
    let text = ''
    child.stderr!.on('data', (more: string) => {
      text += more
    })
    await expect.poll(() => text).toContain('Listening on')
    const port = Number(new URL(/Listening on (\S+)/.exec(text)![1]!).port)
    const toName = () =>
      new Promise((resolve, reject) => {
        const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
          resolve(socket.getPeerCertificate().subject.CN)
          socket.destroy()
        })
        socket.on('error', reject)
      })
    expect(await toName()).toBe('one')
    certify('two')
    writeFileSync(join(home, 'config.json'), '{"rate_limit_address": "7", "environments": "eu,us"}')
    child.kill('SIGHUP')
    await expect.poll(() => text).toMatch(/"address":7.*"environments":"eu,us".*settings reloaded/)
    expect(await toName()).toBe('two')
    writeFileSync(cert, 'no certificate')
    child.kill('SIGHUP')
    await expect.poll(() => text).toContain('reloading failed')
    expect(await toName()).toBe('two')
    child.kill('SIGTERM')
    await finished
  },
)
