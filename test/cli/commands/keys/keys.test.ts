import { beforeEach, describe, expect, test } from 'vitest'
import { create as createVerb, list as listVerb, revoke as revokeVerb } from '../../../../src/cli/commands/keys/noun.ts'
import rotateVerb from '../../../../src/cli/commands/keys/rotate.ts'
import type { KeptCredentials } from '../../../../src/config/kept-credentials.ts'
import { ReltError } from '../../../../src/errors.ts'
import { json, openHostile } from '../../../client/hostile.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { parse, printAll } from '../../../helpers/output.ts'
import { talk } from '../../../helpers/terminal.ts'

const uuid = /[0-9a-f]{8}-[0-9a-f-]{27}/g
const password = /\b[A-Za-z]{4}(?: [A-Za-z]{4}){5}\b/g
const masked = (text: string) => text.replace(uuid, '*'.repeat(36)).replace(password, 'PASSWORD')

let home = ''
const keys = (line: string, options: Partial<Parameters<typeof runCli>[1]> = {}) =>
  runCli(['keys', ...line.split(' ')], { home, ...options })
const listed = async () => JSON.parse((await keys('list --json')).stdout)
const create = async (name: string) => JSON.parse((await keys(`create ${name} --json`)).stdout)
beforeEach(() => {
  home = temporaryFolder()
})

test.each([
  ['list', listVerb, [], []],
  ['create', createVerb, ['CI of the shop'], ['CI of the shop', {}]],
  ['create', createVerb, ['ci', '--expires', '90d', '--scope', 'read'], ['ci', { expires: '90d', scope: 'read' }]],
  ['create', createVerb, [], [undefined, {}]],
  ['revoke', revokeVerb, ['ci', '-y'], ['ci', { yes: true }]],
  ['revoke', revokeVerb, [], [undefined, {}]],
  ['rotate', rotateVerb, [], [undefined, {}]],
  [
    'rotate',
    rotateVerb,
    ['ci', '--name', 'ci 2', '--store', '--revoke-first'],
    ['ci', { name: 'ci 2', store: true, revokeFirst: true }],
  ],
])('%s is given %o', async (_, declared, argv, expected) => {
  expect(await parse(declared, argv)).toEqual(expected)
})

describe('list', () => {
  test('prints the keys without secrets', async () => {
    await keys('create ci')
    await keys('create laptop')
    expect(masked(await printAll(['keys', 'list'], home))).toMatchInlineSnapshot(`
      "
      === 80 columns
      UUID                                  NAME    SCOPE  EXPIRES
      ************************************  ci      all    never
      ************************************  laptop  all    never
      === 120 columns
      UUID                                  NAME    SCOPE  CREATED   EXPIRES  LAST USED
      ************************************  ci      all    just now  never    never
      ************************************  laptop  all    just now  never    never
      === pipe
      UUID                                  NAME    SCOPE  CREATED              EXPIRES  LAST USED
      ************************************  ci      all    2026-09-01 12:00:00  never    never
      ************************************  laptop  all    2026-09-01 12:00:00  never    never
      === --json
      {"keys":[{"uuid":"************************************","name":"ci","created":"2026-09-01 12:00:00","expires_at":null,"scope":"all","last_used":null,"made_by":null,"replaces":null},{"uuid":"************************************","name":"laptop","created":"2026-09-01 12:00:00","expires_at":null,"scope":"all","last_used":null,"made_by":null,"replaces":null}],"limit":2147483647,"count":2,"remaining":2147483645}
      "
    `)
  })

  test('says that there is none', async () => {
    expect(await keys('list')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No keys yet. Create one: relt keys create NAME\n',
    })
    const limited = await keys('list', { env: { RELT_PLAN_LIMITS: 'interface' } })
    expect(limited).toEqual({ code: 0, stdout: '', stderr: 'No keys yet. Your plan allows 10.\n' })
  })

  test('says how many keys a plan allows', async () => {
    await keys('create ci')
    expect((await keys('list', { env: { RELT_PLAN_LIMITS: 'interface' } })).stderr).toBe(
      '1 of 10 keys allowed by your plan.\n',
    )
    expect((await keys('list')).stderr).toBe('')
  })
})

describe('create', () => {
  test('shows the password once', async () => {
    expect(masked(await printAll(['keys', 'create', 'ci'], home))).toMatchInlineSnapshot(`
      "
      === 80 columns
      PASSWORD
      --- stderr
      ✓ Created key ************************************, ci
      Save it now. It is not shown again.
      === 120 columns
      PASSWORD
      --- stderr
      ✓ Created key ************************************, ci
      Save it now. It is not shown again.
      === pipe
      PASSWORD
      --- stderr
      ✓ Created key ************************************, ci
      Save it now. It is not shown again.
      === --json
      {"success":true,"password":"PASSWORD","item":{"uuid":"************************************","name":"ci","created":"2026-09-01 12:00:00","expires_at":null,"scope":"all","last_used":null,"made_by":null,"replaces":null}}
      "
    `)
  })

  test.each([
    ['12h', '2026-09-02 00:00:00'],
    ['90d', '2026-11-30 12:00:00'],
    ['8w', '2026-10-27 12:00:00'],
    ['1y', '2027-09-01 12:00:00'],
    ['2027-01-31', '2027-01-31 00:00:00'],
    ['never', null],
  ])('with --expires %s issues a key until %s', async (expires, expires_at) => {
    const { code, stderr } = await keys(`create ci --expires ${expires} --scope upload`)
    expect({ code, stderr: masked(stderr) }).toEqual({
      code: 0,
      stderr: `✓ Created key ${'*'.repeat(36)}, ci, scope upload${expires_at ? `, expires ${expires_at}` : ''}
Save it now. It is not shown again.
`,
    })
    expect((await listed()).keys).toMatchObject([{ expires_at, scope: 'upload', last_used: null }])
  })

  test.each(['0d', '90', '90m', '2026-08-31', '-1d', 'soon', ''])('refuses --expires "%s"', async (expires) => {
    const { code, stderr } = await runCli(['keys', 'create', 'ci', `--expires=${expires}`], { home })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `error: --expires ${expires} is not in the future.
hint: Use 12h, 90d, 8w, 1y, 2030-01-31 or never.
`,
    })
    expect((await listed()).count).toBe(0)
  })

  test('revokes the key again when the server ignores its scope and expiry', async () => {
    const item = { uuid: '0f8e3c9a', name: 'ci', created: '2026-09-01 12:00:00' }
    const server = await openHostile((request, response) => {
      const created = { success: true, password: 'abcd efgh ijkl mnop qrst uvwx', item }
      response.writeHead(200, json).end(JSON.stringify(request.method === 'POST' ? created : { success: true }))
    })
    const env = { RELT_USERNAME: 'ada', RELT_PASSWORD: 'abcd efgh ijkl mnop qrst uvwx' }
    expect(await keys(`create ci --scope read --expires 90d --server ${server.url}`, { env })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: The server does not support key scopes or expiry. The new key was revoked.\n',
    })
    const calls = server.requests.map(({ method, url }) => `${method} ${url}`)
    expect(calls).toEqual([
      expect.stringMatching(/^POST .*\/api-keys$/),
      expect.stringMatching(/^DELETE .*\/0f8e3c9a$/),
    ])
    expect(await keys(`create ci --server ${server.url}`, { env })).toMatchObject({ code: 0 })
  })

  test('gives a pipe the password alone', async () => {
    const { stdout } = await keys('create ci')
    expect(stdout.replace(password, 'PASSWORD')).toBe('PASSWORD\n')
  })

  test('asks for the name on a terminal only', async () => {
    const asked = await talk(['keys', 'create'], [['Name', 'laptop\r']], { home })
    expect(asked).toMatchObject({ code: 0, left: [] })
    expect((await listed()).keys).toMatchObject([{ name: 'laptop' }])
    expect(await keys('create')).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('revoke', () => {
  test('needs --yes where nobody can be asked', async () => {
    await create('ci')
    expect(await keys('revoke ci')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: This needs a confirmation, because it cannot be undone.\nhint: Add --yes to confirm.\n',
    })
    const { code, stdout, stderr } = await keys('revoke CI --yes')
    expect({ code, stdout, stderr: masked(stderr) }).toEqual({
      code: 0,
      stdout: '',
      stderr: `✓ Revoked key ${'*'.repeat(36)}, ci\n`,
    })
    expect((await listed()).count).toBe(0)
  })

  test('with --json answers with success', async () => {
    const { item } = await create('ci')
    expect(await keys(`revoke ${item.uuid} -y --json`)).toEqual({ code: 0, stdout: '{"success":true}\n', stderr: '' })
  })

  test('does not guess between two of one name', async () => {
    const uuids = [(await create('ci')).item.uuid, (await create('ci')).item.uuid]
    const { code, stderr } = await keys('revoke ci --yes')
    expect(code).toBe(2)
    expect(stderr).toContain('error: Several keys are named "ci".\nhint: Use an id: ')
    for (const each of uuids) expect(stderr).toContain(each)
    expect((await listed()).count).toBe(2)
  })

  test('of an unknown key says where to look', async () => {
    expect(await keys('revoke nope --yes')).toEqual({
      code: 3,
      stdout: '',
      stderr: 'error: No key of this name.\nhint: List them: relt keys list\n',
    })
  })
})

const fullPlan = { RELT_PLAN_LIMITS: 'pro_plus.keys=1' }

/** Credentials as a person's machine keeps them. */
function keeping(current: string | undefined, save?: () => Promise<void>) {
  const saved: { uuid: string; password: string }[] = []
  const credentials: KeptCredentials = {
    currentKeyUuid: async () => current,
    save: async (key) => {
      await save?.()
      saved.push(key)
    },
  }
  return { credentials, saved }
}

describe('rotate', () => {
  test('shows the new password and revokes the old key', async () => {
    const { item } = await create('ci')
    const { code, stdout, stderr } = await keys('rotate ci')
    expect({ code, stdout: masked(stdout), stderr }).toEqual({
      code: 0,
      stdout: 'PASSWORD\n',
      stderr: `Save it now. It is not shown again.\n✓ Revoked the old key ${item.uuid}, ci\n`,
    })
    expect((await listed()).keys).toMatchObject([{ name: 'ci', uuid: expect.not.stringMatching(item.uuid) }])
  })

  test('prints', async () => {
    await create('ci')
    expect(masked(await printAll(['keys', 'rotate', 'ci'], home))).toMatchInlineSnapshot(`
      "
      === 80 columns
      PASSWORD
      --- stderr
      Save it now. It is not shown again.
      ✓ Revoked the old key ************************************, ci
      === 120 columns
      PASSWORD
      --- stderr
      Save it now. It is not shown again.
      ✓ Revoked the old key ************************************, ci
      === pipe
      PASSWORD
      --- stderr
      Save it now. It is not shown again.
      ✓ Revoked the old key ************************************, ci
      === --json
      {"success":true,"password":"PASSWORD","item":{"uuid":"************************************","name":"ci","created":"2026-09-01 12:00:00","expires_at":null,"scope":"all","last_used":null,"made_by":null,"replaces":"************************************"},"replaces":"************************************"}
      "
    `)
  })

  test('keeps the key that one signs in with, and does not show it', async () => {
    const { item } = await create('laptop')
    await create('ci')
    const { credentials, saved } = keeping(item.uuid)
    const { code, stdout, stderr } = await keys('rotate --name laptop-2', { credentials })
    const [kept] = (await listed()).keys.filter(({ name }: { name: string }) => name === 'laptop-2')
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '',
      stderr: `✓ Stored the new key ${kept.uuid}, laptop-2\n✓ Revoked the old key ${item.uuid}, laptop\n`,
    })
    expect(saved).toEqual([{ uuid: kept.uuid, password: expect.stringMatching(password) }])
    expect((await listed()).keys).toHaveLength(2)
  })

  test('with --store keeps it also when nobody knows which key that is', async () => {
    const { item } = await create('laptop')
    const { credentials, saved } = keeping(undefined)
    expect(await keys('rotate', { credentials })).toMatchObject({ code: 2, stdout: '' })
    const { stdout, stderr } = await keys('rotate laptop --store --json', { credentials })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({
      success: true,
      item: { ...item, uuid: saved[0]!.uuid, replaces: item.uuid },
      replaces: item.uuid,
    })
  })

  test('leaves the old key in place when the new one cannot be kept', async () => {
    const { item } = await create('laptop')
    const { credentials } = keeping(item.uuid, async () => {
      throw new ReltError('key_unavailable', 'The keychain is locked.')
    })
    expect(await keys('rotate', { credentials })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: The keychain is locked.\n',
    })
    expect((await listed()).keys).toEqual([item])
  })

  test('keeps scope and lifetime, unless others are given', async () => {
    await keys('create ci --expires 90d --scope upload')
    await keys('rotate ci')
    expect((await listed()).keys).toMatchObject([{ expires_at: '2026-11-30 12:00:00', scope: 'upload' }])
    await keys('rotate ci --expires never --scope read')
    expect((await listed()).keys).toMatchObject([{ expires_at: null, scope: 'read' }])
    expect(await keys('rotate ci --expires soon --revoke-first')).toMatchObject({ code: 2 })
    expect((await listed()).count).toBe(1)
  })

  test('works with one place left', async () => {
    await create('ci')
    const { code } = await keys('rotate ci', { env: { RELT_PLAN_LIMITS: 'pro_plus.keys=2' } })
    expect({ code, count: (await listed()).count }).toEqual({ code: 0, count: 1 })
  })

  test('explains a full plan, and revokes first only when told to', async () => {
    const { item } = await create('ci')
    expect(await keys('rotate ci', { env: fullPlan })).toEqual({
      code: 4,
      stdout: '',
      stderr: `error: All 1 keys of the plan are in use.
hint: Revoke another key, or add --revoke-first; then neither key works until the new one is stored.
`,
    })
    expect((await listed()).keys).toEqual([item])
    const { code, stdout, stderr } = await keys('rotate ci --revoke-first', { env: fullPlan })
    expect({ code, stdout: masked(stdout), stderr }).toEqual({
      code: 0,
      stdout: 'PASSWORD\n',
      stderr: `✓ Revoked the old key ${item.uuid}, ci\nSave it now. It is not shown again.\n`,
    })
    expect((await listed()).count).toBe(1)
  })

  test.each([
    ['the key that one signs in with', true],
    ['a key that may be that', false],
  ])('never revokes %s before there is another', async (_, isKnown) => {
    const { item } = await create('laptop')
    const { credentials } = keeping(isKnown ? item.uuid : undefined)
    expect(await keys('rotate laptop --revoke-first', { env: fullPlan, credentials })).toEqual({
      code: 4,
      stdout: '',
      stderr: `error: Without key ${item.uuid} you may not be able to create a new one.
hint: Revoke another key first: relt keys revoke
`,
    })
    expect((await listed()).keys).toEqual([item])
  })

  test('--store is refused where nobody signs in', async () => {
    await create('ci')
    expect(await keys('rotate ci --store')).toMatchObject({ code: 2, stdout: '' })
    expect((await listed()).count).toBe(1)
  })
})
