import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eachWebhook } from '../../src/contract/channels.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { basic, Lines } from './http.ts'
import { openServer } from './socket.ts'

const logins = ['admin', 'ada', 'ada@shop.example', 'nobody']

/** The forms in which a secret could be kept by mistake, in lower case. */
function toForms(secret: string): string[] {
  const texts = [secret, secret.replaceAll(' ', '')]
  const encoded = [...texts, ...logins.flatMap((login) => texts.map((text) => `${login}:${text}`))].flatMap((text) => {
    const bytes = Buffer.from(text)
    return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url'), bytes.toString('hex')]
  })
  return [...texts, ...texts.map(encodeURIComponent), ...encoded].map((form) => form.toLowerCase())
}

/** Names of the secrets that are found in any form, in any case. */
function secretsIn(bytes: Buffer | string, secrets: Record<string, string>): string[] {
  const text = Buffer.from(bytes).toString('latin1').toLowerCase()
  return Object.entries(secrets)
    .filter(([, secret]) => toForms(secret).some((form) => text.includes(form)))
    .map(([name]) => name)
}

/** All files of the store but the master key's. */
const storeFor = (folder: string): Buffer =>
  Buffer.concat(
    readdirSync(folder)
      .filter((file) => file.startsWith('relt.db'))
      .map((file) => readFileSync(join(folder, file))),
  )

/** A server with the most verbose log, and all it says that is no answer to a call that may show secrets. */
async function openTalkative(data: string, env: Record<string, string> = {}) {
  const server = await openServer({ data, logLevel: 'debug', trustProxy: true }, env)
  const said = new Lines()
  let address = 0
  async function call(path: string, { method = '', headers = {}, body }: Call = {}) {
    const raw = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(`${server.url}/api${path}`, {
      method: method || (raw === undefined ? 'GET' : 'POST'),
      // Each from another address: wrong tries must not make the next one wait.
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${address++ % 250}`, ...headers },
      ...(raw !== undefined && { body: raw }),
    })
    const text = await response.text()
    if (!response.ok) said.write(`${text}\n${JSON.stringify([...response.headers])}\n`)
    return { status: response.status, text, cookie: response.headers.get('set-cookie')?.split(/[=;]/)[1] ?? '' }
  }
  return { ...server, call, said }
}

interface Call {
  method?: string
  headers?: Record<string, string>
  body?: unknown
}

test('no secret is in the store, the log, a refusal, or what an admin is told', async () => {
  const data = temporaryFolder()
  const server = await openTalkative(data, { RELT_PLAN_LIMITS: 'interface' })
  const { call, said, log } = server
  const run = async (line: string, stdin?: string) => {
    const { stdout, stderr } = await runCli(line.split(' '), { home: data, ...(stdin && { stdin }) })
    said.write(stderr)
    return stdout
  }
  const admin = (line: string, stdin?: string) => run(`admin ${line}`, stdin)
  const secrets: Record<string, string> = {
    'key of the first admin': server.told.admin!.password,
    password: 'correct Horse battery staple',
    'former password': 'former Horse battery staple',
    'wrong password': 'Incorrect Horse battery staple',
    'wrong key': 'zyxw vuts rqpo nmlk jihg fedc',
    'account webhook': 'T0AccountSecretB0',
    'subscription webhook': 'T0SubscriptionSecretB0',
    'webhook that is refused': 'T0RefusedSecretB0',
    'master key': Buffer.from(readFileSync(join(data, 'master.key'), 'utf8').trim(), 'hex').toString('latin1'),
    'master key in hex': readFileSync(join(data, 'master.key'), 'utf8').trim(),
  }

  await admin('users add ada --plan pro --email ada@shop.example')
  await admin('users set-password ada --secret-file -', secrets['former password'])
  await admin('users set-password ada --secret-file -', secrets.password)
  secrets['key by admin'] = (await run('keys create by-admin --as ada')).trim()
  const ada = { authorization: basic('ada', secrets['key by admin']) }
  const byRoute = JSON.parse((await call('/relt/v1/api-keys', { headers: ada, body: { name: 'by-route' } })).text)
  secrets['key by route'] = byRoute.password
  const inBatch = { path: '/relt/v1/api-keys', body: { name: 'by-batch' } }
  const batch = JSON.parse((await call('/batch/v1', { headers: ada, body: { requests: [inBatch] } })).text)
  secrets['key by batch'] = batch.responses[0].body.password
  expect((await call('/relt/v1/api-keys', { headers: ada, body: { name: 'one too many' } })).status).toBe(403)
  said.write(await run('keys list --as ada --json'))

  const sign = (username: string, password: string) => call('/relt/v1/session', { body: { username, password } })
  const session = await sign('ada', secrets.password!)
  secrets['session token'] = session.cookie
  const { nonce } = JSON.parse(session.text)
  const cookie = { cookie: `relt_session=${session.cookie}` }
  expect((await call('/relt/v1/dashboard', { headers: { ...cookie, 'x-wp-nonce': nonce } })).status).toBe(200)
  expect((await call('/relt/v1/dashboard', { headers: cookie })).status).toBe(401)

  const hook = (name: string) => `https://hooks.slack.example/services/${secrets[name]}/${secrets[name]}`
  const webhooks = (name: string) => eachWebhook(() => hook(name))
  const toggled = await call('/relt/v1/toggle-sub', { headers: ada, body: { product_id: 1 } })
  const { subscription_id } = JSON.parse(toggled.text)
  const settings = { subscription_id, ...webhooks('subscription webhook') }
  expect((await call('/relt/v1/update-settings', { headers: ada, body: settings })).status).toBe(200)
  const account = { method: 'PUT', headers: ada, body: webhooks('account webhook') }
  expect((await call('/relt/v1/account/settings', account)).status).toBe(200)
  const refusedHook = { slack_webhook: `ftp://${secrets['webhook that is refused']}` }
  expect((await call('/relt/v1/account/settings', { ...account, body: refusedHook })).status).toBe(400)
  const shown = (await call('/relt/v1/dashboard', { headers: ada })).text
  expect(secretsIn(shown, secrets)).toEqual(['account webhook', 'subscription webhook'])
  for (const body of [{}, { subscription_id }]) {
    said.write((await call('/relt/v1/test-notification', { headers: ada, body })).text)
  }
  said.write((await call('/relt/v1/dashboard-logs?limit=100', { headers: ada })).text)

  const revoked = secrets['key by batch']!
  await call(`/relt/v1/api-keys/${batch.responses[0].body.item.uuid}`, { method: 'DELETE', headers: ada })
  const statuses = new Set<number>()
  for (const secret of Object.values(secrets)) {
    for (const [path, request] of wrongUses(secret, { key: ada, session: cookie })) {
      const { status, text } = await call(path, request)
      said.write(text)
      statuses.add(status)
    }
    // A token may begin with a hyphen, and an unknown option is named.
    await run(`keys revoke --as ada -- ${secret.replaceAll(' ', '')}`)
  }
  expect((await call('/relt/v1/dashboard', { headers: { authorization: basic('ada', revoked) } })).status).toBe(401)
  expect((await sign('ada', secrets['wrong password']!)).status).toBe(401)
  expect((await sign('ada', secrets['former password']!)).status).toBe(401)
  expect((await sign('ada', secrets['key by admin']!)).status).toBe(401)
  // After ten wrong keys within a minute the account waits, too.
  statuses.delete(429)
  expect(statuses).toEqual(new Set([400, 401, 404]))
  said.write(await admin('audit --json --limit 100'))

  const running = secretsIn(storeFor(data), secrets)
  await server.stop()
  const found = {
    running,
    stopped: secretsIn(storeFor(data), secrets),
    log: secretsIn(log.text, secrets),
    said: secretsIn(said.text, secrets),
  }
  expect(found).toEqual({ running: [], stopped: [], log: [], said: [] })
  // Each place has something to be found in.
  expect(secretsIn(storeFor(data), { name: 'by-route' })).toEqual(['name'])
  expect(secretsIn(log.text, { path: '/account/settings' })).toEqual(['path'])
  expect(secretsIn(said.text, { code: 'rest_forbidden', target: 'hooks.slack.example' })).toEqual(['code', 'target'])
})

/** Requests that give a secret where it does not belong, or not as it should be. */
function wrongUses(secret: string, signedIn: Record<'key' | 'session', Record<string, string>>): [string, Call][] {
  const encoded = Buffer.from(`ada:${secret}`).toString('base64')
  const inPath = encodeURIComponent(secret)
  const authorizations = [
    basic('ada@shop.example', secret),
    basic('nobody', secret),
    basic('', secret),
    `Basic ${secret}`,
    `Basic ${encoded}=x`,
    `Bearer ${encoded}`,
    encoded,
  ].filter((authorization) => /^[\x20-\x7e]*$/.test(authorization))
  const inBatch = { path: '/relt/v1/api-keys', headers: { authorization: basic('ada', secret) }, body: { name: 'x' } }
  return [
    ...authorizations.map((authorization): [string, Call] => ['/relt/v1/dashboard', { headers: { authorization } }]),
    ['/relt/v1/session', { body: { username: secret, password: secret } }],
    ['/relt/v1/session', { body: { username: { secret }, password: [secret] } }],
    ['/relt/v1/session', { body: `{"username":"ada","password":${secret}}` }],
    ['/relt/v1/session', { body: `{"username":"ada","password":"${secret}` }],
    [`/relt/v1/dashboard?_wpnonce=${inPath}`, { headers: signedIn.session }],
    [`/relt/v1/api-keys/${inPath}`, { method: 'DELETE', headers: signedIn.key }],
    [`/relt/v1/${inPath}`, {}],
    ['/relt/v1/toggle-sub', { headers: signedIn.key, body: { product_id: secret } }],
    ['/batch/v1', { headers: signedIn.key, body: { requests: [{ path: secret }] } }],
    ['/batch/v1', { body: { requests: [inBatch] } }],
  ]
}

test('another master key than that of the store is not told', async () => {
  const data = temporaryFolder()
  const first = await openTalkative(data)
  await first.stop()
  const secrets = { 'other master key': 'ab'.repeat(32) }
  const { call, said, log, stop } = await openTalkative(data, { RELT_MASTER_KEY: secrets['other master key'] })
  expect((await call('/relt/v1/dashboard', { headers: first.headers })).status).toBe(500)
  await stop()
  expect(log.text).toContain('is not the key that sealed this store')
  expect(secretsIn(`${log.text}${said.text}`, secrets)).toEqual([])
})
