import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { add as addVerb } from '../../../../src/cli/commands/catalog/noun.ts'
import syncVerb from '../../../../src/cli/commands/catalog/sync.ts'
import { openGithub } from '../../../collectors/github-server.ts'
import { openLocalServer, sendJson } from '../../../collectors/local-server.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { parse, withoutColors } from '../../../helpers/output.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'
import { canMakeCertificates, openTlsServer } from '../../../helpers/tls-server.ts'

const releases = [
  { tag: 'v1.1.0', at: '2026-08-30T10:00:00Z', notes: '<p>Fixes CVE-2026-12345</p>' },
  { tag: 'v1.0.0', at: '2026-08-01T10:00:00Z' },
]

/** A store with two own projects, and the GitHub that has one of them. */
async function openStore() {
  const home = temporaryFolder()
  await makeSmallCatalog(home)
  const github = await openGithub({ 'shop/api': { releases }, 'shop/private': { releases, isPrivate: true } })
  const env = { RELT_GITHUB_URL: github.url, RELT_GITHUB_API_URL: github.url, NO_COLOR: '1' }
  const run = (argv: string[], options: Partial<Parameters<typeof runCli>[1]> = {}) =>
    runCli(['catalog', ...argv], { home, ...options, env: { ...env, ...options.env } })
  await run(['add', 'Shop API', '--repo', 'https://github.com/shop/api', '--image', 'registry.shop.example/api'])
  await run(['add', 'Gone', '--repo', 'https://github.com/shop/gone'])
  return { home, github, run, env }
}

describe('relt catalog sync', () => {
  test('takes its options', async () => {
    expect(await parse(syncVerb, [])).toEqual([[], { concurrency: 6 }])
    const argv = ['a', 'b', '--since', '2026-01-31', '--concurrency', '2', '--dry-run']
    expect(await parse(syncVerb, argv)).toEqual([
      ['a', 'b'],
      { since: Date.UTC(2026, 0, 31) / 1000, concurrency: 2, dryRun: true },
    ])
  })

  test.each(['--since yesterday', '--concurrency 0', '--concurrency 17', '--concurrency x'])(
    'refuses %s',
    async (argv) => {
      await expect(parse(syncVerb, argv.split(' '))).rejects.toThrow()
    },
  )

  test('tells what is new and what failed, and then that nothing is', async () => {
    const { run } = await openStore()
    const first = await run(['sync', 'shop-api', 'gone'])
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toMatch(
      /^\+ shop-api: 2 new: v1\.1\.0, v1\.0\.0\n! gone \(git\): 127\.0\.0\.1:\d+ has no such public repository\n2 of 2 sources: 1 changed, 1 absent\nAdded 2 and updated 0 releases\n$/,
    )
    expect((await run(['sync', 'shop-api'])).stdout).toBe(
      '1 of 1 source: 1 unchanged\nAdded 0 and updated 0 releases\n',
    )
  })

  test('answers programs with every source', async () => {
    const { run } = await openStore()
    const { stdout } = await run(['sync', 'shop-api', 'gone', '--json'])
    expect(JSON.parse(stdout)).toEqual({
      success: true,
      dry_run: false,
      total: 2,
      summary: { changed: 1, unchanged: 0, absent: 1, unreachable: 0, limited: 0, added: 2, updated: 0 },
      advisories: { asked: 0, found: 0, unanswered: 0 },
      facts: [],
      sources: [
        expect.objectContaining({ slug: 'gone', kind: 'git', outcome: 'absent', retry_at: null, added: 0 }),
        expect.objectContaining({ slug: 'shop-api', outcome: 'changed', reason: null, added: 2, updated: 0 }),
      ],
    })
    expect((await run(['sync', 'shop-api', '--output', 'csv'])).stdout).toMatch(/shop-api,git,unchanged,0,0/)
  })

  test('draws a bar on a terminal alone', async () => {
    const { run } = await openStore()
    const { stderr } = await run(['sync', 'shop-api'], { columns: 80 })
    expect(withoutColors(stderr)).toContain('█ 1/1 2 new')
    expect(stderr.endsWith('\r\u001b[K')).toBe(true)
  })

  test('says how many advisories it looked up', async () => {
    const { run, github } = await openStore()
    const osv = await openLocalServer((_, response) => void response.writeHead(500).end())
    const last = async () =>
      (await run(['sync', 'shop-api'], { env: { RELT_OSV_URL: osv.url, RELT_GITHUB_TOKEN: github.token } })).stdout
        .split('\n')
        .at(-2)
    expect(await last()).toBe('Looked up 1 advisory, 0 found; 1 failed, to be retried on the next sync')
  })

  test('keeps nothing on a dry run', async () => {
    const { run } = await openStore()
    expect((await run(['sync', 'shop-api', '--dry-run'])).stdout).toContain('Would add 2 and update 0 releases')
    expect(JSON.parse((await run(['status', 'shop-api', '--json'])).stdout).sources[0].health).toBe('never')
  })

  test('makes new releases known to every other command', async () => {
    const { run, home, github } = await openStore()
    await run(['sync', 'shop-api'], { env: { RELT_GITHUB_TOKEN: github.token } })
    const { stdout } = await runCli(['projects', 'releases', 'Shop API', '--json'], { home })
    expect(JSON.parse(stdout).items.map((item: { version: string; has_security_fix: boolean }) => item)).toMatchObject([
      { version: 'v1.1.0', has_security_fix: true },
      { version: 'v1.0.0', has_security_fix: false },
    ])
  })

  test('asks who tells of release cycles, unless that is switched off', async () => {
    const { run } = await openStore()
    const host = await openLocalServer((_, response) =>
      sendJson(response, { result: { releases: [{ name: '2', eolFrom: '2030-01-01' }] } }),
    )
    await run(['edit', 'shop-api', '--eol-product', 'shop'])
    const sources = async (url: string) => {
      const { stdout } = await run(['sync', 'shop-api', '--json'], { env: { RELT_EOL_URL: url } })
      return JSON.parse(stdout).sources.map(({ kind, outcome }: Record<string, string>) => `${kind} ${outcome}`)
    }
    expect(await sources('none')).toEqual(['git changed'])
    expect(await sources(`${host.url}/`)).toEqual(['eol changed', 'git unchanged'])
    expect(host.asked.map(({ path }) => path)).toEqual(['/api/v1/products/shop'])
  })

  test('tells when to go on after a limit', async () => {
    const { run, github } = await openStore()
    github.fault = (_, response) => {
      response.writeHead(429, { 'retry-after': '9000' }).end()
      return true
    }
    const { stdout, code } = await run(['sync', 'shop-api'], { now: Math.floor(Date.now() / 1000) })
    expect(code).toBe(7)
    expect(stdout).toMatch(/Rate-limited\. Run `relt catalog sync` again after \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\.\n$/)
  })

  test.skipIf(!canMakeCertificates)('trusts the authorities of RELT_CA_FILE', async () => {
    const { file, url } = await openTlsServer((_, response) => response.writeHead(200).end())
    const { run } = await openStore()
    const reason = async (env: Record<string, string>) => {
      const { stdout } = await run(['sync', 'shop-api', '--json'], {
        env: { RELT_GITHUB_URL: url, RELT_GITHUB_API_URL: url, ...env },
      })
      return JSON.parse(stdout).sources[0].reason
    }
    expect(await reason({})).toContain('is not trusted, see RELT_CA_FILE: DEPTH_ZERO_SELF_SIGNED_CERT')
    expect(await reason({ RELT_CA_FILE: file })).toContain('without saying what it is')
  })

  test('fails when no source answers, and says where to look', async () => {
    const { run, github } = await openStore()
    expect(await run(['sync', 'gone'])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/No source answered\.[\s\S]*relt catalog status --failing/),
    })
    github.fault = (_, response) => !!response.writeHead(500).end()
    expect(await run(['sync', 'shop-api', 'gone'])).toMatchObject({ code: 7 })
  })

  test('says which project it does not know', async () => {
    const { run } = await openStore()
    expect(await run(['sync', 'nope'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('No project named "nope".'),
    })
  })

  test.each([
    ['RELT_GITHUB_API_URL', 'ftp://x'],
    ['RELT_GITHUB_URL', 'https://me:secret@x'],
    ['RELT_EOL_URL', 'nobody'],
    ['RELT_GITHUB_TOKEN', 'two words'],
    ['RELT_CATALOG_SYNC_HOURS', 'often'],
    ['RELT_CATALOG_SYNC_HOURS', '900'],
  ])('says that %s is wrong, without a secret', async (name, value) => {
    const { run } = await openStore()
    const { code, stderr } = await run(['sync', 'shop-api'], { env: { [name]: value } })
    expect([code, stderr.includes(name), /secret|two words/.test(stderr)]).toEqual([2, true, false])
  })

  test('uses the token of the environment for private projects, and shows it nowhere', async () => {
    const { run, github, home } = await openStore()
    await run(['add', 'Private', '--repo', 'https://github.com/shop/private'])
    expect((await run(['sync', 'private'])).stdout).toContain('1 absent')
    const token = { RELT_CATALOG_TOKEN_PRIVATE: github.token }
    const elsewhere = { ...token, RELT_CATALOG_HOSTS_PRIVATE: 'git.example, charts.example' }
    expect((await run(['sync', 'private'], { env: elsewhere })).stdout).toContain('1 absent')
    expect(JSON.stringify(github.asked)).not.toContain(github.token)
    const env = { ...token, RELT_CATALOG_HOSTS_PRIVATE: 'git.example, github.com' }
    const { stdout, stderr } = await run(['sync', 'private', '--json'], { env })
    expect(JSON.parse(stdout).summary).toMatchObject({ changed: 2, added: 2 })
    expect(stdout + stderr).not.toContain(github.token)
    const files = readdirSync(home)
      .map((file) => join(home, file))
      .filter((file) => statSync(file).isFile())
    const { readFileSync } = await import('node:fs')
    for (const file of files) expect(readFileSync(file).includes(github.token)).toBe(false)
  })
})

describe('relt catalog status', () => {
  test('shows age and health, the oldest first', async () => {
    const { run } = await openStore()
    await run(['sync', 'shop-api', 'gone'])
    const { stdout } = await run(['status', 'shop-api', 'gone', 'argo-cd'])
    expect(stdout.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST').replaceAll(/ +\n/g, '\n')).toMatchInlineSnapshot(`
      "PROJECT   SOURCE  HEALTH  KNOWN UNTIL  ANSWERED             CHANGED              REASON
      gone      git     absent  no releases  never                never                HOST has no such public repository
      shop-api  git     ok      2026-09-01   2026-09-01 12:00:00  2026-09-01 12:00:00
      argo-cd   git     never   2099-01-01   never                never
      argo-cd   helm    never   2099-01-01   never                never
      argo-cd   eol     never   2099-01-01   never                never
      "
    `)
  })

  test('shows those that failed alone', async () => {
    const { run } = await openStore()
    await run(['sync', 'shop-api', 'gone'])
    const { sources } = JSON.parse((await run(['status', '--failing', '--json'])).stdout)
    expect(sources).toMatchObject([{ slug: 'gone', health: 'absent', answered_at: null }])
    expect((await run(['status', 'shop-api', '--failing'])).stderr).toContain('has answered')
  })
})

describe('own projects', () => {
  test('take lists and patterns', async () => {
    const argv = ['X', '--chart', 'a', 'b', '--image', 'r/a', '--tag-pattern', 'a-(.*)', '--charts', 'oci://r/c']
    expect(await parse(addVerb, argv)).toEqual([
      'X',
      { chart: ['a', 'b'], image: ['r/a'], tagPattern: 'a-(.*)', charts: 'oci://r/c' },
    ])
  })

  test('are changed and removed', async () => {
    const { run, home } = await openStore()
    const changes = ['--tag-pattern', 'v(.*)', '--name', 'Shop', '--eol-product', 'shop']
    const edited = await run(['edit', 'shop api', ...changes, '--json'])
    expect(JSON.parse(edited.stdout).project).toMatchObject({
      slug: 'shop-api',
      name: 'Shop',
      tag_pattern: 'v(.*)',
      eol_product: 'shop',
      repo_url: 'https://github.com/shop/api',
      image_repositories: ['registry.shop.example/api'],
    })
    const cleared = await run(['edit', 'shop-api', '--tag-pattern', '', '--image', '', '--eol-product', '', '--json'])
    expect(JSON.parse(cleared.stdout).project).toMatchObject({
      tag_pattern: null,
      image_repositories: [],
      eol_product: null,
    })
    expect((await run(['remove', 'shop-api'])).code).toBe(2)
    expect(await run(['remove', 'shop-api', '--yes'])).toMatchObject({ code: 0 })
    expect((await runCli(['projects', 'show', 'Shop'], { home })).stdout).not.toContain('shop/api')
    expect(await run(['remove', 'shop-api', '--yes'])).toMatchObject({ code: 3 })
  })

  test.each([
    ['a name that is taken', ['add', 'argo cd']],
    ['no web address', ['add', 'X', '--repo', 'github.com/x/y']],
    ['an address with a password', ['add', 'X', '--repo', 'https://me:hunter2@github.com/x/y']],
    ['a pattern without a group', ['add', 'X', '--tag-pattern', 'v.*']],
    ['no pattern', ['add', 'X', '--tag-pattern', '(']],
    ['a pattern that takes for ever', ['add', 'X', '--tag-pattern', '((a+)+)']],
    ['a pattern of many repetitions', ['add', 'X', '--tag-pattern', '(.*.*.*.*)']],
    ['a product with a path', ['add', 'X', '--eol-product', '../all']],
    ['an image in upper case', ['add', 'X', '--image', 'Registry/X']],
    ['a keychain where there is none', ['add', 'X', '--secret-file', '-']],
  ])('are refused with %s', async (_, argv) => {
    const { run } = await openStore()
    const { code, stdout, stderr } = await run(argv, { stdin: 'hunter2\n' })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).not.toContain('hunter2')
    expect((await run(['remove', 'X', '--yes'])).code).toBe(3)
  })

  test('are all that may be changed', async () => {
    const { run } = await openStore()
    for (const argv of [
      ['edit', 'argo-cd', '--homepage', ''],
      ['remove', 'argo-cd', '--yes'],
    ]) {
      expect(await run(argv)).toMatchObject({ code: 4, stderr: expect.stringContaining('not one of your own') })
    }
  })
})

describe('relt catalog export and import', () => {
  test('carry a catalog to another store', async () => {
    const { run } = await openStore()
    await run(['sync', 'shop-api'])
    const file = join(temporaryFolder(), 'catalog.relt')
    expect(await run(['export', file])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/Wrote .* KB\)/),
    })
    const home = temporaryFolder()
    await makeSmallCatalog(home)
    const { stdout } = await runCli(['catalog', 'import', file, '--json'], { home })
    expect(JSON.parse(stdout)).toEqual({
      success: true,
      projects: { added: 2, known: 5 },
      releases: { added: 2, updated: 0 },
      signed_by: null,
    })
    const again = await runCli(['catalog', 'import', file], { home })
    expect(again.stderr).toContain('Imported: 0 new projects, 0 new and 0 updated releases')
  })

  test('sign a file, and refuse one that is not signed', async () => {
    const { run } = await openStore()
    const file = join(temporaryFolder(), 'catalog.relt')
    await run(['export', file])
    const unsigned = await run(['import', file, '--require-signature'])
    expect(unsigned).toMatchObject({ code: 2, stderr: expect.stringContaining('It is not signed.') })
    const { public_key: key } = JSON.parse((await run(['export', file, '--sign', '--json'])).stdout)
    expect(key).toMatch(/^ed25519:[\w-]{43}$/)
    expect((await run(['export', file, '--sign'])).stderr).toContain(`, signed by ${key}\n`)
    expect((await run(['import', file, '--require-signature'])).stderr).toContain(`, signed by ${key}\n`)

    const home = temporaryFolder()
    const elsewhere = (...more: string[]) =>
      runCli(['catalog', 'import', file, '--require-signature', ...more], { home })
    expect(await elsewhere()).toMatchObject({ code: 2, stderr: expect.stringContaining(`It is signed by ${key}`) })
    expect(await elsewhere('ed25519:short')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not the public key'),
    })
    expect(await elsewhere(key, '--json')).toMatchObject({ code: 0, stdout: expect.stringContaining(key) })
  })

  test('say what is wrong with a file', async () => {
    const { run, home } = await openStore()
    const file = join(temporaryFolder(), 'no.relt')
    expect(await run(['import', file])).toMatchObject({ code: 2, stderr: expect.stringContaining(file) })
    writeFileSync(file, 'no catalog')
    expect(await run(['import', file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('relt catalog export'),
    })
    expect((await run(['export', join(home, 'none', 'x')])).code).toBe(2)
  })
})
