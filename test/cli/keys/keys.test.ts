import { beforeEach, describe, expect, test } from 'vitest'
import { createCommand as createCreate } from '../../../src/cli/keys/create.ts'
import { createCommand as createList } from '../../../src/cli/keys/list.ts'
import { createCommand as createRevoke } from '../../../src/cli/keys/revoke.ts'
import { createCommand as createRotate } from '../../../src/cli/keys/rotate.ts'
import type { KeptCredentials } from '../../../src/config/kept-credentials.ts'
import { ReltError } from '../../../src/errors.ts'
import { runCli, temporaryFolder } from '../../helpers/cli.ts'
import { parse, printAll } from '../../helpers/output.ts'
import { talk } from '../../helpers/terminal.ts'

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
  ['list', createList, [], []],
  ['create', createCreate, ['CI of the shop'], ['CI of the shop']],
  ['create', createCreate, [], [undefined]],
  ['revoke', createRevoke, ['ci', '-y'], ['ci', { yes: true }]],
  ['revoke', createRevoke, [], [undefined, {}]],
  ['rotate', createRotate, [], [undefined, {}]],
  [
    'rotate',
    createRotate,
    ['ci', '--name', 'ci 2', '--store', '--revoke-first'],
    ['ci', { name: 'ci 2', store: true, revokeFirst: true }],
  ],
])('%s is given %o', async (_, createCommand, argv, expected) => {
  expect(await parse(createCommand, argv)).toEqual(expected)
})

describe('list', () => {
  test('prints the keys without secrets', async () => {
    await keys('create ci')
    await keys('create laptop')
    expect(masked(await printAll(['keys', 'list'], home))).toMatchInlineSnapshot(`
      "
      === 80 columns, 120 columns
      UUID                                  NAME    CREATED
      ************************************  ci      just now
      ************************************  laptop  just now
      --- stderr
      2 of 10 keys that the plan allows.
      === pipe
      UUID                                  NAME    CREATED
      ************************************  ci      2026-09-01 12:00:00
      ************************************  laptop  2026-09-01 12:00:00
      --- stderr
      2 of 10 keys that the plan allows.
      === --json
      {"keys":[{"uuid":"************************************","name":"ci","created":"2026-09-01 12:00:00"},{"uuid":"************************************","name":"laptop","created":"2026-09-01 12:00:00"}],"limit":10,"count":2,"remaining":8}
      "
    `)
  })

  test('says that there is none', async () => {
    expect(await keys('list')).toEqual({ code: 0, stdout: '', stderr: 'No keys yet; the plan allows 10.\n' })
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
      Keep it now: it is shown this once.
      === 120 columns
      PASSWORD
      --- stderr
      ✓ Created key ************************************, ci
      Keep it now: it is shown this once.
      === pipe
      PASSWORD
      --- stderr
      ✓ Created key ************************************, ci
      Keep it now: it is shown this once.
      === --json
      {"success":true,"password":"PASSWORD","item":{"uuid":"************************************","name":"ci","created":"2026-09-01 12:00:00"}}
      "
    `)
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
      stderr: 'error: This cannot be undone.\nhint: Add --yes to go on.\n',
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
    expect(stderr).toContain('error: Several have the name "ci".\nhint: Give an id: ')
    for (const each of uuids) expect(stderr).toContain(each)
    expect((await listed()).count).toBe(2)
  })

  test('of an unknown key says where to look', async () => {
    expect(await keys('revoke nope --yes')).toEqual({
      code: 3,
      stdout: '',
      stderr: 'error: No key is called "nope".\nhint: See: relt keys list\n',
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
      stderr: `Keep it now: it is shown this once.\n✓ Revoked the old key ${item.uuid}, ci\n`,
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
      Keep it now: it is shown this once.
      ✓ Revoked the old key ************************************, ci
      === 120 columns
      PASSWORD
      --- stderr
      Keep it now: it is shown this once.
      ✓ Revoked the old key ************************************, ci
      === pipe
      PASSWORD
      --- stderr
      Keep it now: it is shown this once.
      ✓ Revoked the old key ************************************, ci
      === --json
      {"success":true,"password":"PASSWORD","item":{"uuid":"************************************","name":"ci","created":"2026-09-01 12:00:00"},"replaces":"************************************"}
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
      item: { uuid: saved[0]!.uuid, name: 'laptop', created: '2026-09-01 12:00:00' },
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
      stderr: `error: All 1 keys of the plan are in use: there is no place for a new one.
hint: Revoke another key, or add --revoke-first: then neither works until the new one is in place.
`,
    })
    expect((await listed()).keys).toEqual([item])
    const { code, stdout, stderr } = await keys('rotate ci --revoke-first', { env: fullPlan })
    expect({ code, stdout: masked(stdout), stderr }).toEqual({
      code: 0,
      stdout: 'PASSWORD\n',
      stderr: `✓ Revoked the old key ${item.uuid}, ci\nKeep it now: it is shown this once.\n`,
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
      stderr: `error: Without key ${item.uuid} you may not be able to make a new one.
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
