import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Keychain } from '../../../../src/config/keychain.ts'
import { openGithub } from '../../../collectors/github-server.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'

const entries = new Map<string, string>()
vi.mock('../../../../src/config/keychain.ts', () => ({
  openKeychain: async (): Promise<Keychain> => ({
    get: async (name) => entries.get(name),
    set: async (name, secret) => void entries.set(name, secret),
    remove: async (name) => void entries.delete(name),
  }),
}))

beforeEach(() => entries.clear())

const releases = [{ tag: 'v1.0.0', at: '2026-08-01T10:00:00Z' }]

async function openStore() {
  const home = temporaryFolder()
  const github = await openGithub({ 'shop/ledger': { releases, isPrivate: true } })
  const env = { RELT_GITHUB_URL: github.url, RELT_GITHUB_API_URL: github.url, RELT_KEYCHAIN: 'on' }
  const run = (argv: string[], options: { stdin?: string; env?: Record<string, string> } = {}) =>
    runCli(['catalog', ...argv, '--json'], { home, ...options, env: { ...env, ...options.env } })
  const argv = ['add', 'Ledger', '--repo', 'https://github.com/shop/ledger', '--secret-file', '-']
  const added = await run(argv, { stdin: `${github.token}\n` })
  expect(added.stdout + added.stderr).not.toContain(github.token)
  return { home, github, run }
}

test('a private project is seen with the token of the keychain, which the store does not hold', async () => {
  const { home, github, run } = await openStore()
  expect([...entries.keys()]).toEqual(['catalog:ledger'])
  const { stdout, stderr } = await run(['sync', 'ledger'])
  expect(JSON.parse(stdout).summary).toMatchObject({ changed: 2, added: 1 })
  expect(stdout + stderr).not.toContain(github.token)
  for (const file of readdirSync(home).map((name) => join(home, name))) {
    if (statSync(file).isFile()) expect(readFileSync(file).includes(github.token)).toBe(false)
  }
})

test('a token is for the hosts that the project named when it was given', async () => {
  const { github, run } = await openStore()
  const other = await openGithub({ 'shop/ledger': { releases } })
  const host = new URL(other.url).host
  await run(['edit', 'ledger', '--repo', `${other.url}/shop/ledger`])
  const { stdout } = await run(['sync', 'ledger'], { env: { RELT_GITHUB_HOSTS: host, RELT_ALLOW_NETS: '127.0.0.1' } })
  expect(JSON.parse(stdout).summary).toMatchObject({ changed: 1 })
  expect(other.asked.length).toBeGreaterThan(0)
  expect(JSON.stringify(other.asked)).not.toContain(github.token)
})

test('a token is for the address that the project had when it was given, not for others of its host', async () => {
  const { github, run } = await openStore()
  await run(['edit', 'ledger', '--repo', 'https://github.com/evil/ledger'])
  github.asked.length = 0
  const { stdout } = await run(['sync', 'ledger'])
  expect(JSON.parse(stdout).sources).toMatchObject([{ outcome: 'unreachable' }, { outcome: 'unreachable' }])
  expect(stdout).toContain('relt catalog edit ledger --secret-file -')
  expect(github.asked).toEqual([])
  await run(['edit', 'ledger', '--repo', 'https://github.com/shop/ledger'])
  expect(JSON.parse((await run(['sync', 'ledger'])).stdout).summary).toMatchObject({ changed: 2 })
})

test('a token that was stored without addresses is for none', async () => {
  const { github, run } = await openStore()
  entries.set('catalog:ledger', github.token)
  const { stdout } = await run(['sync', 'ledger'])
  expect(JSON.parse(stdout).sources).toMatchObject([{ outcome: 'unreachable' }, { outcome: 'unreachable' }])
  expect(JSON.stringify(github.asked)).not.toContain(github.token)
})

describe('an address that came over the interface', () => {
  const moved = { name: 'Ledger', repo_url: 'https://github.com/evil/ledger' }
  const sync = async (home: string, projects: object[]) => {
    const options = { home, stdin: JSON.stringify({ projects }) }
    const { stdout } = await runCli(['api', 'POST', '/sync-projects', '--input', '-'], options)
    expect(JSON.parse(stdout)).toMatchObject({ updated: 1 })
  }

  test('gets no token of the keychain', async () => {
    const { home, github, run } = await openStore()
    await sync(home, [moved])
    const { stdout } = await run(['sync', 'ledger'])
    expect(JSON.parse(stdout).sources).toMatchObject([{ outcome: 'unreachable' }, { outcome: 'unreachable' }])
    expect(github.asked).toEqual([])
  })

  test('gets a token of the environment only when the operator lists the whole of it', async () => {
    const { home, github, run } = await openStore()
    entries.clear()
    const env = { RELT_CATALOG_TOKEN_LEDGER: github.token, RELT_CATALOG_HOSTS_LEDGER: 'github.com' }
    // The same address again changes nothing.
    await sync(home, [{ name: 'Ledger', repo_url: 'https://github.com/shop/ledger', description: 'Books' }])
    expect(JSON.parse((await run(['sync', 'ledger'], { env })).stdout).summary).toMatchObject({ changed: 2 })
    github.asked.length = 0
    await sync(home, [moved])
    expect((await run(['sync', 'ledger'], { env })).stdout).toContain('has to list the whole address')
    await sync(home, [{ ...moved, repo_url: 'https://github.com/shop/ledger' }])
    expect((await run(['sync', 'ledger'], { env })).stdout).toContain('has to list the whole address')
    expect(github.asked).toEqual([])
    const whole = { ...env, RELT_CATALOG_HOSTS_LEDGER: 'https://github.com/shop/ledger' }
    expect(JSON.parse((await run(['sync', 'ledger'], { env: whole })).stdout).summary).toMatchObject({ changed: 2 })
  })
})

test('a token that is gone makes its project unreachable, and goes with the project', async () => {
  const { run } = await openStore()
  entries.clear()
  const { stdout } = await run(['sync', 'ledger'])
  const reason = 'the keychain does not give the token of the project'
  expect(JSON.parse(stdout).sources).toMatchObject([
    { kind: 'advisories', outcome: 'unreachable', reason },
    { kind: 'github', outcome: 'unreachable', reason },
  ])
  entries.set('catalog:ledger', 'x')
  await run(['remove', 'ledger', '--yes'])
  expect([...entries]).toEqual([])
})

test('a token with characters that no header carries is refused', async () => {
  const { run } = await openStore()
  const { code, stderr } = await run(['edit', 'ledger', '--secret-file', '-'], { stdin: 'größer als\n' })
  expect([code, stderr.includes('größer')]).toEqual([2, false])
})
