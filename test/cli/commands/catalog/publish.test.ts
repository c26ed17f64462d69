import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pushProjects as pushVerb } from '../../../../src/cli/commands/catalog/noun.ts'
import publishVerb from '../../../../src/cli/commands/catalog/publish-release.ts'
import { openServerWithUser } from '../../../client/open.ts'
import { openLocalServer, sendJson } from '../../../collectors/local-server.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { parse } from '../../../helpers/output.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'
import { talk } from '../../../helpers/terminal.ts'

type Options = Partial<Parameters<typeof runCli>[1]>

/** Commands against a server that listens, and against a store of this machine. */
const targets = {
  server: async () => {
    const { server, password } = await openServerWithUser()
    const home = temporaryFolder()
    const env = { RELT_SERVER: server.url, RELT_USERNAME: 'ada', RELT_PASSWORD: password }
    return {
      run: (argv: string[], options: Options = {}) => runCli(argv, { home, env, ...options }),
      place: `on ${server.url}`,
    }
  },
  store: async () => {
    const home = temporaryFolder()
    await makeSmallCatalog(home)
    const run = (argv: string[], options: Options = {}) =>
      runCli([...argv, '--local'], { home, env: { RELT_SERVER: 'https://radar.example' }, ...options })
    return { run, place: 'in the store on this machine' }
  },
}

describe('relt catalog publish-release', () => {
  test('takes its options', async () => {
    expect(await parse(publishVerb, ['shop', 'v1'])).toEqual(['shop', 'v1', { type: 'app' }])
    const argv = [
      ...['shop', '1.0', '-t', 'helm', '--chart', 'shop', '--notes-file', '-', '--url', 'https://x'],
      ...['--published-at', '2026-01-31T10:00:00Z', '--security-fix', '--severity', 'high'],
      ...['--security-summary', 's', '--cve', 'CVE-2026-1', 'CVE-2026-2', '--cve-link', 'https://c'],
    ]
    expect(await parse(publishVerb, argv)).toEqual([
      'shop',
      '1.0',
      {
        type: 'helm',
        chart: 'shop',
        notesFile: '-',
        url: 'https://x',
        publishedAt: '2026-01-31 10:00:00',
        securityFix: true,
        severity: 'high',
        securitySummary: 's',
        cve: ['CVE-2026-1', 'CVE-2026-2'],
        cveLink: ['https://c'],
      },
    ])
    expect(await parse(publishVerb, ['a', 'b', '--no-security-fix'])).toEqual([
      'a',
      'b',
      { type: 'app', securityFix: false },
    ])
  })

  test.each(['', 'shop', 'shop v1 --type beta', 'shop v1 --severity huge', 'shop v1 --published-at soon'])(
    'refuses %j',
    async (line) => {
      await expect(parse(publishVerb, line.split(' ').filter(Boolean))).rejects.toThrow()
    },
  )

  test.each(['server', 'store'] as const)('adds and updates a release of a %s', async (target) => {
    const { run, place } = await targets[target]()
    const publish = (...argv: string[]) => run(['catalog', 'publish-release', ...argv])
    expect(await publish('argo-cd', 'v9.0.0', '--url', 'https://x.example/', '--published-at', '2026-08-31')).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^✓ Published Argo CD v9\\.0\\.0 \\(\\d+\\) ${place}\\n$`)),
    })
    const again = await run(
      [
        'catalog',
        'publish-release',
        'ARGO CD',
        'v9.0.0',
        '--notes-file',
        '-',
        '--cve',
        'CVE-2026-7700',
        '--severity',
        'high',
        '--security-fix',
        '--json',
      ],
      { stdin: '<p>Fixes it</p>' },
    )
    expect(JSON.parse(again.stdout)).toEqual({ success: true, release_id: expect.any(Number), created: false })
    const { stdout } = await run(['projects', 'show', 'argo-cd', '--json'])
    expect(JSON.parse(stdout).product.releases.app[0]).toMatchObject({
      version: 'v9.0.0',
      url: 'https://x.example/',
      published_at: '2026-08-31 00:00:00',
      release_notes: '<p>Fixes it</p>',
      has_security_fix: true,
      security_severity: 'high',
      cve_list: ['CVE-2026-7700'],
    })
  })

  test('says what is wrong, and changes nothing', async () => {
    const { run } = await targets.server()
    const publish = (...argv: string[]) => run(['catalog', 'publish-release', ...argv])
    expect(await publish('nope', 'v1')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('No project named'),
    })
    expect(await publish('argo', 'v1')).toMatchObject({ code: 2, stderr: expect.stringContaining('matches several') })
    expect(await publish('argo-cd', 'v1', '--url', 'ftp://x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('url'),
    })
    expect(await publish('argo-cd', 'v1', '--notes-file', '/no/such')).toMatchObject({ code: 2 })
    expect((await run(['projects', 'releases', 'argo-cd', 'v1'])).code).toBe(3)
  })
})

describe('relt catalog push-projects', () => {
  test('takes its options', async () => {
    expect(await parse(pushVerb, ['p.yaml'])).toEqual(['p.yaml', {}])
    expect(await parse(pushVerb, ['-', '--cleanup-removed', '-y'])).toEqual(['-', { cleanupRemoved: true, yes: true }])
    await expect(parse(pushVerb, [])).rejects.toThrow("missing required argument 'file'")
  })

  test.each(['server', 'store'] as const)('creates, updates and removes projects of a %s', async (target) => {
    const { run, place } = await targets[target]()
    const file = join(temporaryFolder(), 'projects.yaml')
    const names = async () =>
      JSON.parse((await run(['projects', 'list', '--limit', '100', '--json'])).stdout).items.map(
        ({ name }: { name: string }) => name,
      )
    const push = (text: string, ...argv: string[]) => {
      writeFileSync(file, text)
      return run(['catalog', 'push-projects', file, ...argv])
    }
    expect(await push('- name: Shop API # ours\n  repo_url: https://github.com/shop/api\n- name: Ledger\n')).toEqual({
      code: 0,
      stdout: '',
      stderr: `✓ Pushed projects: 2 created, 0 updated, 0 removed ${place}\n`,
    })
    const shorter = '{"projects": [{"name": "shop api", "category": "Shop"}]}'
    expect((await push(shorter)).stderr).toContain('0 created, 1 updated, 0 removed')
    expect(await names()).toContain('Ledger')

    expect(await push(shorter, '--cleanup-removed')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yes'),
    })
    expect(await names()).toContain('Ledger')
    expect(JSON.parse((await push(shorter, '--cleanup-removed', '--yes', '--json')).stdout)).toEqual({
      success: true,
      created: 0,
      updated: 1,
      removed: expect.any(Number),
    })
    expect(await names()).toEqual(['shop api'])
  })

  test('asks on a terminal before it removes', async () => {
    const home = temporaryFolder()
    await makeSmallCatalog(home)
    const file = join(temporaryFolder(), 'p.json')
    writeFileSync(file, '[{"name": "One"}]')
    await runCli(['catalog', 'push-projects', file], { home })
    writeFileSync(file, '[]')
    const push = (answer: string) =>
      talk(['catalog', 'push-projects', file, '--cleanup-removed'], [['this list of 0', answer]], { home })
    expect(await push('n\r')).toMatchObject({ left: [], code: 130 })
    expect((await runCli(['projects', 'show', 'One'], { home })).code).toBe(0)
    expect(await push('y\r')).toMatchObject({ left: [], code: 0, stderr: expect.stringMatching(/[1-9]\d* removed/) })
    expect((await runCli(['projects', 'show', 'One'], { home })).code).toBe(3)
  })

  test('takes what a listing prints', async () => {
    const { run } = await targets.server()
    const listed = await run(['projects', 'list', '--limit', '100', '--json'])
    const pushed = await run(['catalog', 'push-projects', '-', '--json'], { stdin: listed.stdout })
    expect(JSON.parse(pushed.stdout)).toMatchObject({ created: 0, updated: 5, removed: 0 })
    const after = await run(['projects', 'list', '--limit', '100', '--json'])
    expect(JSON.parse(after.stdout).items.map(withoutTime)).toEqual(JSON.parse(listed.stdout).items.map(withoutTime))
    const part = await run(['projects', 'list', '--limit', '2', '--json'])
    expect(await run(['catalog', 'push-projects', '-'], { stdin: part.stdout })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('one page of 3'),
    })
  })

  test.each([
    ['nothing', '', 'contains no list of projects'],
    ['a text', 'just text', 'contains no list of projects'],
    ['an object', '{"name": "x"}', 'contains no list of projects'],
    ['no object in the list', '[5]', 'projects.0'],
    ['a misspelt field', '[{"name": "x", "homepag": "https://x"}]', 'projects.0.homepag: is not a field'],
    ['no name', '[{"category": "x"}]', 'projects.0.name'],
    ['an address of another kind', '[{"name": "x", "repo_url": "ftp://x"}]', 'projects.0.repo_url'],
    ['a broken file', '[{"name": ', 'Standard input is not valid YAML'],
    ['a key that reaches prototypes', '[{"name": "x", "__proto__": {"a": 1}}]', '__proto__'],
    ['great depth', `${'['.repeat(20_000)}`, 'Standard input'],
    [
      'aliases that unfold',
      'a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c]',
      'Standard input is not valid YAML',
    ],
  ])('refuses %s', async (_, stdin, message) => {
    const { run } = await targets.store()
    const { code, stdout, stderr } = await run(['catalog', 'push-projects', '-'], { stdin })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })

  test('works on the store that --data names', async () => {
    const data = temporaryFolder()
    await makeSmallCatalog(data)
    const home = temporaryFolder()
    const env = { RELT_SERVER: 'https://radar.example' }
    const pushed = await runCli(['catalog', '--data', data, 'push-projects', '-'], {
      home,
      env,
      stdin: '[{"name": "One"}]',
    })
    expect(pushed).toMatchObject({ code: 0, stderr: expect.stringContaining('in the store on this machine') })
    expect((await runCli(['projects', 'show', 'One'], { home: data })).code).toBe(0)
  })
})

test('a server that answers nothing but success is not credited with numbers', async () => {
  const { url } = await openLocalServer(({ path }, response) => {
    if (path.includes('/projects/7')) return sendJson(response, { product: { ...project, id: 7 } })
    return sendJson(response, { success: true })
  })
  const run = (argv: string[]) =>
    runCli(['catalog', ...argv, '--server', url], { home: temporaryFolder(), stdin: '[]' })
  expect((await run(['publish-release', '7', 'v1'])).stderr).toBe(`✓ Published Shop v1 on ${url}/api/relt/v1\n`)
  expect((await run(['push-projects', '-'])).stderr).toBe(
    `✓ Pushed projects: unknown created, unknown updated, unknown removed on ${url}/api/relt/v1\n`,
  )
})

test('only admins publish and push on a server', async () => {
  const { server, home } = await openServerWithUser()
  await runCli(['admin', 'users', 'add', 'bob', '--plan', 'pro'], { home })
  const { stdout: password } = await runCli(['admin', 'keys', 'create', 'bob', '--name', 'x'], { home })
  const env = { RELT_SERVER: server.url, RELT_USERNAME: 'bob', RELT_PASSWORD: password.trim() }
  const run = (argv: string[]) => runCli(argv, { home: temporaryFolder(), env, stdin: '[{"name": "One"}]' })
  for (const argv of [
    ['publish-release', 'argo-cd', 'v1'],
    ['push-projects', '-'],
  ]) {
    expect(await run(['catalog', ...argv])).toMatchObject({ code: 4, stdout: '' })
  }
})

const project = {
  ...{ name: 'Shop', description: '', category: '', cncf_status: 'sandbox', homepage: '', repo_url: '' },
  releases: { app: [], helm: [], pre: [] },
}

const withoutTime = ({ updated_at: _, ...project }: Record<string, unknown>) => project
