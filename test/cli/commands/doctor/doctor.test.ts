import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import doctorVerb from '../../../../src/cli/commands/doctor/index.ts'
import { find } from '../../../../src/cli/commands/doctor/line.ts'
import { version } from '../../../../src/version.ts'
import { json, openHostile } from '../../../client/hostile.ts'
import { openServerWithUser } from '../../../client/open.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { parse } from '../../../helpers/output.ts'
import { makePrograms } from '../../../helpers/programs.ts'
import { makeSmallStore } from '../../../helpers/small-store.ts'

interface Told {
  healthy: boolean
  checks: { check: string; state: string; found: string; hint: string | null }[]
}

async function diagnose(home: string, options: { env?: Record<string, string>; now?: number; argv?: string[] } = {}) {
  const { argv = [], env, now } = options
  const result = await runCli(['doctor', '--json', ...argv], {
    home,
    env: { PATH: '/no/such', ...env },
    ...(now && { now }),
  })
  const { healthy, checks } = JSON.parse(result.stdout) as Told
  const of = (name: string) => checks.find(({ check }) => check === name)
  return { ...result, healthy, of, failed: checks.filter(({ state }) => state === 'fail').map(({ check }) => check) }
}

test('doctor takes no arguments', async () => {
  expect(await parse(doctorVerb, [])).toEqual([{}])
  expect(await parse(doctorVerb, ['--data', '/srv/relt'])).toEqual([{ data: '/srv/relt' }])
  await expect(parse(doctorVerb, ['x'])).rejects.toThrow('too many arguments')
})

test('says what is there and what is not, and makes nothing', async () => {
  const home = temporaryFolder()
  const { env } = makePrograms(temporaryFolder(), ['docker'])
  const options = { home, env: { ...env, NO_COLOR: '1' } }
  const { code, stdout, stderr } = await runCli(['doctor'], { ...options, columns: 120 })
  const stable = stdout
    .replaceAll(home, '/home')
    .replace(/relt \S+ on .*/, 'relt VERSION on NODE')
    .replace(/\d+ MB free/, 'N MB free')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(`\n${stable}`).toMatchInlineSnapshot(`
    "
    ok    program         relt VERSION on NODE
    ok    terminal        120 columns, no colors
    ok    settings        /home/config.json: servers 0
    ok    network         no proxy, the default certificates
    ok    server          none: commands use the store on this machine
    ok    catalog         projects and releases as of 2026-08-22
    ok    scanner         docker
    warn  cluster         There is no kubeconfig, and this is no pod with a service account.
          Only \`relt scan\` needs it.
    ok    data folder     /home, store of 0 MB, N MB free
    ok    store           none yet; created on first use
    "
  `)
  expect(readdirSync(home)).toEqual([])
})

test('PowerShell without the module of the scanner is no scanner', async () => {
  const { env } = makePrograms(temporaryFolder(), ['pwsh', 'docker'], { FAKE_SCAN: 'no-module' })
  const { stdout } = await runCli(['doctor'], { home: temporaryFolder(), env: { ...env, NO_COLOR: '1' } })
  expect(stdout).toMatch(/^ok +scanner +docker$/m)
  const alone = makePrograms(temporaryFolder(), ['pwsh'], { FAKE_SCAN: 'no-module' })
  const without = await runCli(['doctor'], { home: temporaryFolder(), env: { ...alone.env, NO_COLOR: '1' } })
  expect(without.stdout).toMatch(/^warn +scanner +its module KubeBuddy is not installed$/m)
})

test('wraps what was found below its start', async () => {
  const options = { home: temporaryFolder(), columns: 60, env: { PATH: '/no/such' } }
  const { stdout } = await runCli(['doctor', '--no-color'], options)
  for (const line of stdout.trimEnd().split('\n')) expect(line).toMatch(/^(?:ok|warn|fail) |^ {6}(?: {16})?\S/)
  expect(stdout).toMatch(/^ {22}.*servers 0$/m)
})

test('opens the store with its key, and looks at every page of it', async () => {
  const home = temporaryFolder()
  await makeSmallStore(home)
  expect(await diagnose(home)).toMatchObject({ code: 0, stderr: '', healthy: true, failed: [] })
  const { of } = await diagnose(home)
  expect(of('store')).toMatchObject({ state: 'ok', found: 'opens, and all pages are intact' })
  expect(of('master key')).toMatchObject({ state: 'ok', found: expect.stringContaining('in a file') })

  rmSync(join(home, 'master.key'))
  const keyless = await diagnose(home)
  expect(keyless).toMatchObject({ code: 1, healthy: false, failed: ['master key'] })
  expect(keyless.of('master key')).toMatchObject({ hint: expect.stringContaining('Put the key back') })
  expect(JSON.parse(keyless.stderr)).toMatchObject({
    error: { code: 'relt_unhealthy', message: 'Failed checks: master key.' },
  })
})

test('checks the store that --data names, and no server', async () => {
  const [home, other] = [temporaryFolder(), temporaryFolder()]
  await makeSmallStore(other)
  const env = { RELT_SERVER: 'https://radar.example', RELT_DATABASE_URL: 'postgres://relt@127.0.0.1:1/absent' }
  const { code, of } = await diagnose(home, { env, argv: ['--data', other] })
  expect(code).toBe(0)
  expect(of('server')!.found).toBe('none: commands use the store on this machine')
  expect(of('data folder')!.found).toContain(`${other}, store of `)
  expect(of('store')).toMatchObject({ state: 'ok', found: 'opens, and all pages are intact' })
  expect(readdirSync(home)).toEqual([])
})

test('--data fails for a folder without a store, and with --server', async () => {
  const absent = join(temporaryFolder(), 'absent')
  const { code, failed, of } = await diagnose(temporaryFolder(), { argv: ['--data', absent] })
  expect({ code, failed }).toEqual({ code: 1, failed: ['store'] })
  expect(of('store')).toMatchObject({
    found: `${absent} has no store: there is no relt.db in it.`,
    hint: 'Check the folder of --data.',
  })
  const both = await diagnose(temporaryFolder(), { argv: ['--data', absent, '--server', 'https://radar.example'] })
  expect(both.of('server')).toMatchObject({ state: 'fail', found: '--data and --server cannot be combined.' })
})

test('finds a store that is damaged', async () => {
  const home = temporaryFolder()
  await makeSmallStore(home)
  const file = join(home, 'relt.db')
  const bytes = readFileSync(file)
  // Behind the first pages, which are read when it is opened.
  bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 40_000)
  writeFileSync(file, bytes)
  expect(await diagnose(home)).toMatchObject({ code: 1, failed: expect.arrayContaining(['store']) })
})

test('warns of a folder that others may read', async () => {
  const home = temporaryFolder()
  chmodSync(home, 0o755)
  const { of, code } = await diagnose(home)
  expect({ code, line: of('data folder') }).toMatchObject({
    code: 0,
    line: { state: 'warn', hint: `Restrict access: chmod 700 '${home}'` },
  })
})

test('warns of an old catalog and of certificates that nobody checks', async () => {
  const { of } = await diagnose(temporaryFolder(), {
    now: Date.UTC(2027, 8, 1) / 1000,
    env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
  })
  expect(of('catalog')).toMatchObject({ state: 'warn', found: expect.stringMatching(/, 375 days ago$/) })
  expect(of('network')).toMatchObject({ state: 'warn' })
})

test('says what is wrong with the settings, and goes on', async () => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'config.json'), '{"colour":"red"}')
  const { code, failed, of } = await diagnose(home, { env: { RELT_SERVER: 'https://radar.example' } })
  expect({ code, failed }).toEqual({ code: 1, failed: ['settings'] })
  expect(of('settings')!.found).toContain('colour: is not known')
})

test('names proxies without their credentials, and a file of certificates that is not there', async () => {
  const home = temporaryFolder()
  const { of } = await diagnose(home, { env: { HTTPS_PROXY: 'http://ada:secret@proxy.example:3128' } })
  expect(of('network')).toMatchObject({ state: 'ok', found: 'HTTPS via proxy.example:3128, the default certificates' })
  expect(await diagnose(home, { env: { RELT_CA_FILE: '/no/such/ca.pem' } })).toMatchObject({
    code: 1,
    failed: ['network'],
  })
})

test('asks the server with the credentials, and compares version and clock', async () => {
  const { server, password } = await openServerWithUser()
  const home = temporaryFolder()
  const env = { RELT_SERVER: server.url, RELT_USERNAME: 'ada', RELT_PASSWORD: password }
  const good = await diagnose(home, { env, now: Date.now() / 1000 })
  expect(good).toMatchObject({ code: 0, healthy: true })
  expect(good.of('server')!.found).toBe(`${server.url} responds and accepts the credentials`)
  expect(good.of('server version')!.found).toBe(`${version}, same as relt here`)
  expect(good.of('clock')).toMatchObject({ state: 'ok' })
  expect(good.stdout).not.toContain(password)

  const late = await diagnose(home, { env, now: Date.now() / 1000 - 3600 })
  expect(late.of('clock')).toMatchObject({
    state: 'warn',
    found: expect.stringMatching(/^\d{4} seconds off from the server/),
  })
  // The server's clock goes on while the command runs.
  const skew = Number.parseInt(late.of('clock')!.found, 10)
  expect([skew >= 3599, skew < 3600 + 120]).toEqual([true, true])

  const wrong = await diagnose(home, { env: { ...env, RELT_PASSWORD: 'not-the-secret' } })
  expect(wrong).toMatchObject({ code: 1, failed: ['server'] })
  expect(wrong.stdout + wrong.stderr).not.toContain('not-the-secret')
  expect((await diagnose(home, { env, argv: ['--local'] })).of('server')!.found).toContain('none')
})

test('ends with 7 when only the server cannot be reached', async () => {
  const home = temporaryFolder()
  const unreachable = await diagnose(home, { env: { RELT_SERVER: 'http://127.0.0.1:9/x' } })
  expect(unreachable).toMatchObject({ code: 7, healthy: false, failed: ['server'] })
})

test('a server of another version is told', async () => {
  const home = temporaryFolder()
  const other = await openHostile((_request, response) => {
    response.writeHead(200, { ...json, 'x-relt-version': '9.9.9' }).end('{}')
  })
  const { code, of } = await diagnose(home, { env: { RELT_SERVER: other.url }, now: Date.now() / 1000 })
  expect({ code, line: of('server version') }).toMatchObject({
    code: 0,
    line: { state: 'warn', found: `9.9.9, but relt here is ${version}` },
  })
})

test('a check that throws is one that fails', async () => {
  const throws = () => {
    throw new Error('no luck')
  }
  expect(await find('thing', throws, {} as never)).toEqual([{ check: 'thing', state: 'fail', found: 'no luck' }])
})
