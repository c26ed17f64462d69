import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { json, openHostile } from '../../../client/hostile.ts'
import { openServerWithUser } from '../../../client/open.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { scan } from '../../../reports/scan.ts'

/** Somebody signed in to a server of ours. */
async function signedIn() {
  const { server, password } = await openServerWithUser()
  const home = temporaryFolder()
  const run = (argv: string, options: { stdin?: string; columns?: number; env?: Record<string, string> } = {}) =>
    runCli(argv.split(' '), { home, ...options })
  const login = (more = '') =>
    run(`auth login ${server.url} --name work --username ada --secret-file -${more}`, { stdin: `${password}\n` })
  return { url: server.url, password, home, run, login }
}

test('a secret is checked, sealed in a file only its owner reads, and used from then on', async () => {
  const { url, password, home, run, login } = await signedIn()
  expect(await login()).toEqual({
    code: 0,
    stdout: '',
    stderr:
      `✓ Signed in to work (${url}) as ada\n` +
      `No keychain is available. The API key is stored encrypted, in a file that only you can read:\n${join(home, 'credentials.json')}\n`,
  })
  for (const file of ['config.json', 'credentials.json', 'credentials.key']) {
    expect(statSync(join(home, file)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(home, file), 'utf8')).not.toContain(password.slice(0, 9))
  }
  const config = JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))
  expect(config).toEqual({ server: 'work', servers: { work: { url, username: 'ada', secret: 'file' } } })

  // The store on this machine has no report and is not opened.
  expect(await run('reports list --json')).toMatchObject({ code: 0 })
  expect(readdirSync(home)).not.toContain('relt.db')
  const dashboard = await run('api GET /dashboard')
  expect(JSON.parse(dashboard.stdout)).toMatchObject({ user_login: 'ada' })
  const local = await run('api GET /dashboard --local')
  expect(JSON.parse(local.stdout)).toMatchObject({ user_login: 'local' })
})

test('a key for uploads signs in, uploads, and reads nothing back', async () => {
  const { url, home, run, login } = await signedIn()
  await login()
  const created = await run('keys create ci --scope upload --json')
  const { password } = JSON.parse(created.stdout)
  expect(
    await run(`auth login ${url} --name ci --username ada --secret-file -`, { stdin: `${password}\n` }),
  ).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Signed in to ci'),
  })
  expect((await run('auth status --json')).stdout).toContain('"scope":"upload"')
  writeFileSync(join(home, 'report.json'), JSON.stringify(scan([{}])))
  const uploaded = await run(`reports upload ${join(home, 'report.json')}`)
  expect(uploaded).toMatchObject({ code: 0, stdout: expect.stringMatching(/^crun_[\w-]+\n$/) })
  const read = await run(`reports show ${uploaded.stdout.trim()}`)
  expect(read).toMatchObject({ code: 4, stderr: expect.stringContaining('This API key has the scope upload') })
})

test('a wrong secret is not stored', async () => {
  const { url, home, run } = await signedIn()
  const failed = await run(`auth login ${url} --username ada --secret-file -`, { stdin: 'wrong\n' })
  expect(failed).toMatchObject({ code: 4, stdout: '' })
  expect(failed.stderr).toContain('the key was revoked or has expired')
  expect(readdirSync(home)).toEqual([])
})

test.each([
  ['auth login', 'Server URL is missing, and there is no terminal for a prompt.'],
  ['auth login https://radar.example', 'Login name is missing, and there is no terminal for a prompt.'],
  ['auth login https://radar.example --username ada', 'API key is missing, and there is no terminal for a prompt.'],
  [
    'auth login http://radar.example --username ada --secret-file -',
    'Plain HTTP to radar.example would expose credentials',
  ],
  ['auth login https://ada:secret@radar.example', 'An address must not hold credentials'],
  ['auth login https://radar.example --name local', '"local" is not a valid server name.'],
  ['auth login https://radar.example --name __proto__', '"__proto__" is not a valid server name.'],
  ['auth login ftp://radar.example', 'This is not the address of a server.'],
  ['auth switch', 'No server was given.'],
  ['auth token', 'The store on this machine has no API key.'],
  ['stats --server nowhere', 'No server named "nowhere".'],
  ['stats --server http://radar.example', 'Plain HTTP to radar.example would expose credentials'],
  ['stats --server x --local', '--local and --server cannot be combined.'],
])('relt %s is wrong use where nobody can be asked', async (argv, message) => {
  const { code, stdout, stderr } = await runCli(argv.split(' '), { home: temporaryFolder() })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(`error: ${message}`)
  expect(stderr).not.toContain('ada:secret')
})

test('the environment goes before what was stored, and the command line before it', async () => {
  const { url, password, run, login } = await signedIn()
  await login()
  const other = await openHostile((_request, response) => response.writeHead(200, json).end('{"from": "other"}'))
  const from = async (argv: string, env: Record<string, string> = {}) => JSON.parse((await run(argv, { env })).stdout)
  expect(await from('api GET /x', { RELT_SERVER: other.url })).toEqual({ from: 'other' })
  expect(await from(`api GET /x --server ${other.url}`)).toEqual({ from: 'other' })
  expect(await from('api GET /dashboard --server work', { RELT_SERVER: other.url })).toMatchObject({
    user_login: 'ada',
  })
  // What was stored for one server is not sent to another one.
  expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined])

  const fresh = temporaryFolder()
  for (const env of [
    { RELT_USERNAME: 'ada', RELT_PASSWORD: password },
    { KUBEBUDDY_RADAR_API_USER: 'ada', KUBEBUDDY_RADAR_API_PASSWORD: password },
  ]) {
    const { code } = await runCli(['reports', 'list'], { home: fresh, env: { RELT_SERVER: url, ...env } as never })
    expect(code).toBe(0)
  }
  expect(readdirSync(fresh)).toEqual([])
  const half = await run('reports list', { env: { RELT_USERNAME: 'ada' } })
  expect(half).toMatchObject({ code: 2 })
})

test('a secret stays with the address that it was given for', async () => {
  const { home, run, login } = await signedIn()
  await login()
  const other = await openHostile((_request, response) => response.writeHead(200, json).end('{}'))
  const file = join(home, 'config.json')
  const config = JSON.parse(readFileSync(file, 'utf8'))
  config.servers.work.url = `${other.url}/api/relt/v1`
  writeFileSync(file, JSON.stringify(config))
  expect(await run('reports list')).toMatchObject({ code: 4 })
  expect(other.requests).toEqual([])
})

describe('auth status', () => {
  test('tells of every server, and whether it works', async () => {
    const { url, run, login } = await signedIn()
    await login()
    const { code, stdout } = await run('auth status --json')
    const key = { name: 'test', scope: 'all', expires_at: null }
    const state = { secret: 'file', current: true, works: true, problem: null, key, team: null }
    expect({ code, body: JSON.parse(stdout) }).toEqual({
      code: 0,
      body: { success: true, items: [{ name: 'work', url, username: 'ada', ...state }], local: false },
    })
    const people = await run('auth status', { columns: 120, env: { NO_COLOR: '1' } })
    expect(people.stdout).toMatch(
      /^NAME +CURRENT +SERVER +USER +SECRET +SCOPE +EXPIRES +WORKS\nwork +yes +http.* ada +file +all +never +yes\n$/,
    )
  })

  test('warns of a key that ends within 14 days', async () => {
    const { url, run, login } = await signedIn()
    await login()
    const create = async (expires: string) =>
      JSON.parse((await run(`keys create x --expires ${expires} --scope read --json`)).stdout).password
    const status = async (password: string) =>
      run('auth status', { columns: 120, env: { RELT_USERNAME: 'ada', RELT_PASSWORD: password, NO_COLOR: '1' } })
    const soon = await create('14d')
    const ending = await status(soon)
    expect(ending.stdout).toMatch(/ environment +read +in 14 days +yes\n/)
    expect(ending.stdout).toContain('Your key for work expires in 14 days. Replace it: relt keys rotate')
    expect((await status(await create('15d'))).stdout).not.toContain('Replace it')
    const again = await run(`auth login ${url} --name work --username ada --secret-file -`, { stdin: `${soon}\n` })
    expect(again.stderr).toContain('Your key for work expires in 14 days.')
  })

  test('fails as the current server fails', async () => {
    const { run, login } = await signedIn()
    await login()
    const wrong = await run('auth status', { env: { RELT_USERNAME: 'ada', RELT_PASSWORD: 'wrong' } })
    expect(wrong).toMatchObject({ code: 4 })
    expect(wrong.stdout).toContain('no: rest_forbidden')
    expect(await run('auth status --server http://127.0.0.1:1')).toMatchObject({ code: 7 })
  })

  test('without a server says so', async () => {
    expect(await runCli(['auth', 'status'], { home: temporaryFolder() })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Commands use the store on this machine. Sign in to a server: relt auth login URL\n',
    })
  })
})

test('the current server is switched, and local is one of them', async () => {
  const { home, run, login } = await signedIn()
  await login()
  expect(await run('auth switch local')).toMatchObject({
    code: 0,
    stderr: '✓ Commands now use the store on this machine\n',
  })
  expect(JSON.parse((await run('api GET /dashboard')).stdout)).toMatchObject({ user_login: 'local' })
  expect(await run('auth switch work')).toMatchObject({ code: 0 })
  expect(await run('auth switch nowhere')).toMatchObject({ code: 3 })
  expect(JSON.parse(readFileSync(join(home, 'config.json'), 'utf8')).server).toBe('work')
})

test('a secret is printed to a pipe, and on a terminal only when that is asked for', async () => {
  const { password, run, login } = await signedIn()
  await login()
  expect(await run('auth token')).toEqual({ code: 0, stdout: `${password}\n`, stderr: '' })
  const refused = await run('auth token', { columns: 80 })
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).not.toContain(password)
  expect(await run('auth token --yes', { columns: 80 })).toMatchObject({ code: 0, stdout: `${password}\n` })
})

test('signing out forgets the server and its secret, and asks before', async () => {
  const { home, run, login } = await signedIn()
  await login()
  expect(await run('auth logout')).toMatchObject({ code: 2 })
  expect(await run('auth logout --yes')).toMatchObject({ code: 0, stderr: '✓ Signed out of work\n' })
  expect(readFileSync(join(home, 'config.json'), 'utf8')).toBe('{}\n')
  expect(readFileSync(join(home, 'credentials.json'), 'utf8')).toBe('{}\n')
  expect(await run('auth logout --yes')).toMatchObject({ code: 3 })
})

test('--verbose tells of requests, without the password', async () => {
  const { url, password, run, login } = await signedIn()
  await login()
  const { stderr } = await run('projects show 1 --verbose')
  expect(stderr).not.toContain(password)
  expect(stderr.split('\n').find((line) => line.startsWith('GET '))).toMatch(
    new RegExp(`^GET ${url}/projects/1 · 200 · \\d+ bytes · \\d+ ms · request [0-9a-f-]{36}$`),
  )
})
