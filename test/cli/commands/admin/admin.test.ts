import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openMasterKeys } from '../../../../src/config/secrets.ts'
import { openDatabase } from '../../../../src/db/open.ts'
import { authenticate, createSession, findSession } from '../../../../src/operations/accounts/authenticate.ts'
import { openVault } from '../../../../src/operations/keys/vault.ts'
import { bytesOfStore } from '../../../accounts/accounts.ts'
import { runCli, temporaryFolder, testNow } from '../../../helpers/cli.ts'
import { smallReports, uploadAll } from '../../../helpers/small-store.ts'

/** Runs `relt admin …`, `relt keys …` or `relt teams …` on one store. */
function onStore(home = temporaryFolder()) {
  const run = (line: string, options: Partial<Parameters<typeof runCli>[1]> = {}) =>
    runCli(`${/^(keys|teams) /.test(line) ? '' : 'admin '}${line}`.split(' '), { home, ...options })
  const json = async (line: string, options: Partial<Parameters<typeof runCli>[1]> = {}) => {
    const { code, stdout, stderr } = await run(`${line} --json`, options)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout)
  }
  return { home, run, json }
}

/** The store as a server would open it. */
async function serviceOn<T>(home: string, work: (service: Parameters<typeof authenticate>[0]) => Promise<T>) {
  const db = await openDatabase(join(home, 'relt.db'))
  try {
    return await work({
      db,
      vault: () => openVault(db, openMasterKeys({ RELT_KEYCHAIN: 'off' }, home), { now: testNow }),
    })
  } finally {
    await db.destroy()
  }
}

describe('users', () => {
  test('are added, shown, listed and changed', async () => {
    const { run, json } = onStore()
    expect(await run('users add ada --plan pro --email ada@shop.example')).toEqual({
      code: 0,
      stdout: '',
      stderr: '✓ Added ada\nLet the user sign in: relt keys create NAME --as ada\n',
    })
    const ada = {
      id: expect.any(Number),
      login: 'ada',
      email: 'ada@shop.example',
      role: 'user',
      plan: 'pro',
      created: '2026-09-01 12:00:00',
      has_password: false,
      disabled_at: null,
      keys: 0,
    }
    expect(await json('users show ada')).toEqual(ada)
    expect(await json('users set-plan ada pro-plus')).toEqual({ ...ada, plan: 'pro_plus' })
    expect((await run('users set-role ada admin')).stderr).toBe('✓ Changed the role of ada to admin\n')
    expect((await run('users set-plan ada free')).stderr).toBe('✓ Changed the plan of ada to Free\n')
    expect(await json('users add grace')).toMatchObject({ login: 'grace', plan: 'free', role: 'user', email: null })
    expect((await run('users list')).stdout).toMatchInlineSnapshot(`
      "NAME   PLAN      ROLE   KEYS  PASSWORD  STATE    CREATED              EMAIL
      ada    Free      admin     0  -         enabled  2026-09-01 12:00:00  ada@shop.example
      grace  Free      user      0  -         enabled  2026-09-01 12:00:00  -
      local  Pro Plus  admin     0  -         enabled  2026-09-01 12:00:00  -
      "
    `)
    expect((await run('users show ada')).stdout).toMatchInlineSnapshot(`
      "  Name      ada
        Plan      Free
        Role      admin
        Email     ada@shop.example
        Keys      0
        Password  -
        State     enabled
        Created   2026-09-01 12:00:00
      "
    `)
    const { items: users } = await json('users list')
    expect(users.map((user: { login: string }) => user.login)).toEqual(['ada', 'grace', 'local'])
  })

  test.each([
    ['Ada', 'login: must have at most 60 lower-case letters'],
    ['ada@shop.example', 'login: must have at most 60 lower-case letters'],
    ['.ada', 'login: must have at most 60 lower-case letters'],
    ['a'.repeat(61), 'login: must have at most 60 lower-case letters'],
    ['ada --email nowhere', 'email: must be an email address'],
    ['ada --email a@b@c', 'email: must be an email address'],
  ])('are not added as %s', async (words, reason) => {
    const { run, json } = onStore()
    const { code, stderr } = await run(`users add ${words}`)
    expect(code).toBe(2)
    expect(stderr).toContain(reason)
    expect(await json('users list')).toEqual({ success: true, items: [] })
  })

  test('show the next steps, each on a line', async () => {
    const { run } = onStore()
    await run('teams create shop')
    expect((await run('users add ada')).stderr).toBe(
      [
        '✓ Added ada',
        'Let the user sign in: relt keys create NAME --as ada',
        'Share clusters: relt teams add shop ada',
        '',
      ].join('\n'),
    )
  })

  test('are not added twice', async () => {
    const { run } = onStore()
    await run('users add ada')
    expect(await run('users add ada --plan pro')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: Invalid parameter(s): login\n  login: ada is taken\n',
    })
  })

  test.each([
    'users show nobody',
    'users set-plan nobody pro',
    'users set-role nobody admin',
    'users set-password nobody --secret-file -',
    'users remove nobody --yes',
    'keys list --as nobody',
    'keys create x --as nobody',
  ])('that do not exist are not found: %s', async (line) => {
    const { run } = onStore()
    const stdin = 'correct horse battery'
    expect(await run(line, { stdin })).toEqual({ code: 3, stdout: '', stderr: 'error: No user named nobody.\n' })
  })

  test.each([
    'users add local',
    'users set-plan local free',
    'users set-role local user',
    'users remove local --yes',
    'users set-password local --secret-file -',
  ])('leave the one of the store alone: %s', async (line) => {
    const { home, run } = onStore()
    await uploadAll(home, [smallReports[0]])
    const { code, stderr } = await run(line, { stdin: 'correct horse battery' })
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: 'error: The user local is part of the store and cannot be changed this way.\n',
    })
  })

  test('are removed with everything that is theirs, when that is confirmed', async () => {
    const { home, run, json } = onStore()
    await run('users add ada --plan pro')
    const { password } = await json('keys create x --as ada')
    expect(await run('users remove ada')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: This needs a confirmation, because it cannot be undone.\nhint: Add --yes to confirm.\n',
    })
    const basic = () => serviceOn(home, (service) => authenticate(service, 'ada', password, testNow))
    expect(await basic()).toMatchObject({ login: 'ada' })
    expect(await run('users remove ada --yes')).toEqual({ code: 0, stdout: '', stderr: '✓ Removed ada\n' })
    expect(await basic()).toBeUndefined()
    expect((await run('users show ada')).code).toBe(3)
  })
})

describe('set-password', () => {
  test('takes the first line of standard input, and the browser sign-in works with it', async () => {
    const { home, run, json } = onStore()
    await run('users add ada')
    const stdin = 'correct horse battery\r\nnot this\n'
    expect(await run('users set-password ada --secret-file -', { stdin })).toEqual({
      code: 0,
      stdout: '',
      stderr: '✓ Set the password of ada\n',
    })
    expect(await json('users show ada')).toMatchObject({ has_password: true })
    const signIn = (password: string) => {
      const credentials = { username: 'ada', password, address: '192.0.2.1' }
      return serviceOn(home, (service) => createSession(service, credentials, testNow))
    }
    const session = await signIn('correct horse battery')
    expect(session).toBeDefined()
    await json('users set-password ada --secret-file -', { stdin: 'another good password' })
    expect(await signIn('correct horse battery')).toBeUndefined()
    const found = await serviceOn(home, (service) => findSession(service, session!.token, testNow))
    expect(found).toBeUndefined()
    const bytes = bytesOfStore(join(home, 'relt.db'))
    for (const secret of ['correct horse battery', 'another good password']) expect(bytes.includes(secret)).toBe(false)
  })

  test.each([
    ['', '--secret-file -', 'error: Standard input contains no password.\nhint: Pipe it in as one line.\n'],
    ['\n', '--secret-file -', 'error: Standard input contains no password.\nhint: Pipe it in as one line.\n'],
    [
      'short',
      '--secret-file -',
      'error: Invalid parameter(s): password\n  password: must have at least 12 characters\n',
    ],
    [
      'x'.repeat(1001),
      '--secret-file -',
      'error: Invalid parameter(s): password\n  password: must have at most 1000 characters\n',
    ],
    [
      'correct horse battery',
      '--quiet',
      'error: Cannot ask for the password without a terminal.\nhint: Pipe the password in and add --secret-file -.\n',
    ],
  ])('refuses %j with %s', async (stdin, option, stderr) => {
    const { run, json } = onStore()
    await run('users add ada')
    expect(await run(`users set-password ada ${option}`, { stdin })).toEqual({ code: 2, stdout: '', stderr })
    expect(await json('users show ada')).toMatchObject({ has_password: false })
  })
})

describe('keys', () => {
  test('show their password once, on standard output alone', async () => {
    const { home, run, json } = onStore()
    await run('users add ada --plan pro')
    const created = await run('keys create ci --as ada')
    expect(created.stdout).toMatch(/^[A-Za-z]{4}( [A-Za-z]{4}){5}\n$/)
    expect(created.stderr).toMatch(/^✓ Created key [0-9a-f-]{36}, ci\nSave it now\. It is not shown again\.\n$/)
    const password = created.stdout.trim()
    expect(await serviceOn(home, (service) => authenticate(service, 'ada', password, testNow))).toBeDefined()
    const { keys } = await json('keys list --as ada')
    expect(keys).toEqual([
      {
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'ci',
        created: '2026-09-01 12:00:00',
        expires_at: null,
        scope: 'all',
        last_used: '2026-09-01 12:00:00',
        made_by: null,
        replaces: null,
      },
    ])
    const shown = await Promise.all(
      ['users list', 'users show ada', 'keys list --as ada', 'audit', 'users list --json', 'audit --json'].map((line) =>
        run(line),
      ),
    )
    const hash = await serviceOn(home, async (service) => {
      const row = await service.db.selectFrom('api_key').select('secret_hash').executeTakeFirstOrThrow()
      return Buffer.from(row.secret_hash).toString('hex')
    })
    for (const { stdout } of shown) {
      expect(stdout).not.toContain(password)
      expect(stdout).not.toContain(hash)
    }
    expect(await run(`keys revoke ${keys[0].uuid} --as ada --yes`)).toEqual({
      code: 0,
      stdout: '',
      stderr: `✓ Revoked key ${keys[0].uuid}, ci\n`,
    })
    expect(await serviceOn(home, (service) => authenticate(service, 'ada', password, testNow))).toBeUndefined()
    expect((await run(`keys revoke ${keys[0].uuid} --as ada --yes`)).code).toBe(3)
    expect(await run('keys list --as ada')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No keys yet. Create one: relt keys create NAME\n',
    })
  })

  test('are made and revoked by the local user in the audit, and do not end with the password', async () => {
    const { run, json } = onStore()
    await run('users add ada')
    const limits = { env: { RELT_PLAN_LIMITS: 'interface,free.keys=2' } }
    const { item } = await json('keys create ci --as ada', limits)
    expect((await json('keys rotate ci --as ada', limits)).item).toMatchObject({ made_by: null, replaces: item.uuid })
    const stdin = 'correct horse battery'
    expect((await run('users set-password ada --end-made --secret-file -', { stdin })).stderr).not.toContain(
      'Made with',
    )
    await run('keys revoke ci --as ada --yes')
    const { items } = await json('audit')
    expect(items.map(({ login, action }: Record<string, string>) => `${login} ${action}`)).toEqual([
      'local key.revoke',
      'local user.set-password',
      'local key.revoke',
      'local key.create',
      'local key.create',
      'local user.add',
    ])
  })

  test('stop at the limit of the plan, or of the configuration', async () => {
    const { run: runFreely, json: toJson } = onStore()
    const env = { RELT_PLAN_LIMITS: 'interface' }
    const run = (line: string) => runFreely(line, { env })
    const json = (line: string, options = { env }) => toJson(line, options)
    await run('users add free')
    expect(await run('keys create x --as free')).toEqual({
      code: 4,
      stdout: '',
      stderr: 'error: The limit of the plan Free is 0 API keys.\nhint: API access requires a Pro plan.\n',
    })
    await run('users add ada --plan pro')
    for (let i = 0; i < 3; i++) await json('keys create x --as ada')
    expect((await run('keys create x --as ada')).stderr).toBe(
      'error: The limit of the plan Pro is 3 API keys.\nhint: Revoke a key that is no longer used.\n',
    )
    await json('keys create x --as ada', { env: { RELT_PLAN_LIMITS: 'pro.keys=4' } })
    expect((await json('keys list --as ada')).keys).toHaveLength(4)
  })

  test('need a name', async () => {
    const { home, run } = onStore()
    await run('users add ada --plan pro')
    const { code, stderr } = await runCli(['keys', 'create', ' ', '--as', 'ada'], { home })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'error: Invalid parameter(s): name\n  name: must not be empty\n',
    })
  })
})

describe('audit', () => {
  test('shows what was done here and through the routes, by user and page', async () => {
    const { home, run, json } = onStore()
    expect(await run('audit')).toEqual({ code: 0, stdout: '', stderr: 'No audit entries.\n' })
    await run('users add ada --plan pro')
    const [runId] = await uploadAll(home, [smallReports[0]])
    await run('users remove ada --yes')
    const entries = (await json('audit')).items
    expect(entries.map(({ login, action, subject }: Record<string, string>) => [login, action, subject])).toEqual([
      ['local', 'user.remove', 'ada'],
      ['local', 'report.upload', runId],
      ['local', 'user.add', 'ada'],
    ])
    expect(await json('audit --limit 1 --page 2')).toMatchObject({ total: 3, items: [entries[1]] })
    expect(await json('audit --user ada')).toMatchObject({ total: 0, items: [] })
    const { stdout, stderr } = await run('audit --limit 2')
    expect(stdout).toMatch(
      /^TIME +ACCOUNT +ACTION +SUBJECT +REQUEST\n2026-09-01 12:00:00 +local +user.remove +ada +-\n/,
    )
    expect(stderr).toBe('Showing 2 of 3. Next: --page 2.\n')
  })
})

describe('retention', () => {
  const later = { now: testNow + 91 * 86_400 }

  test('removes what is older than it is kept, and says how much', async () => {
    const { home, run, json } = onStore()
    await uploadAll(home, smallReports)
    expect(await run('retention run', { env: { RELT_RETENTION_DAYS: '0' } })).toEqual({
      code: 0,
      stdout: '',
      stderr:
        '✓ Nothing to delete: runs\n✓ Deleted 0 deliveries older than 90 days\n✓ Deleted 0 audit entries older than 365 days\n',
    })
    // Three uploads and a retention are in the audit.
    expect(await json('retention run', { ...later, env: { RELT_RETENTION_DAYS_AUDIT: '30' } })).toEqual({
      success: true,
      days: { runs: 90, deliveries: 90, audit: 30 },
      removed: { runs: 3, deliveries: 0, audit: 4 },
    })
    expect(JSON.parse((await runCli(['reports', 'list', '--json'], { home })).stdout).total).toBe(0)
    expect((await json('audit')).items).toMatchObject([{ action: 'retention.run' }])
  })

  test('counts one as one', async () => {
    const { home, run } = onStore()
    await uploadAll(home, [smallReports[0]])
    expect((await run('retention run', later)).stderr).toContain('✓ Deleted 1 run older than 90 days\n')
  })

  test('refuses a setting that is no number', async () => {
    const { code, stderr } = await onStore().run('retention run', { env: { RELT_RETENTION_DAYS: 'soon' } })
    expect(code).toBe(2)
    expect(stderr).toContain('RELT_RETENTION_DAYS is not a number of days: "soon".')
  })
})

test('--data names another store, before the command or after it', async () => {
  const { run, json } = onStore()
  const other = temporaryFolder()
  await run(`--data ${other} users add ada`)
  expect(await json('users list')).toEqual({ success: true, items: [] })
  expect((await json(`users list --data ${other}`)).items).toMatchObject([{ login: 'ada' }, { login: 'local' }])
  expect((await onStore(other).json('users list')).items).toHaveLength(2)
})

const onExisting = [
  'backup /nowhere/relt.db',
  'retention run',
  'audit',
  'users list',
  'teams list',
  'keys list --as ada',
]
test.each([...onExisting, 'teams create platform --owner ada', 'master-key status'])(
  '%s refuses a folder without a store, and does not create one',
  async (line) => {
    const { home, run } = onStore()
    const missing = join(home, 'mistyped')
    expect(await run(`${line} --data ${missing}`)).toMatchObject({ code: 2, stderr: expect.stringContaining(missing) })
    expect(existsSync(missing)).toBe(false)
  },
)

test.each(['admin', 'admin users', 'keys', 'admin retention'])('relt %s shows its help', async (line) => {
  const { code, stdout } = await runCli(line.split(' '), { home: temporaryFolder() })
  expect(code).toBe(0)
  expect(stdout).toContain(`Usage: relt ${line} [options] [command]`)
})
