import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Keychain } from '../../src/config/keychain.ts'
import { openMasterKeys } from '../../src/config/secrets.ts'
import { ReltError } from '../../src/errors.ts'
import { toKeyId } from '../../src/util/seal.ts'
import { temporaryFolder } from '../helpers/cli.ts'

/** The keychain of the machine, as the test wants it. */
let keychain: Keychain | undefined
vi.mock('../../src/config/keychain.ts', () => ({ openKeychain: async () => keychain }))

beforeEach(() => {
  keychain = undefined
})

function keychainWith(entries = new Map<string, string>()): Keychain & { entries: Map<string, string> } {
  return {
    entries,
    get: async (name) => entries.get(name),
    set: async (name, secret) => void entries.set(name, secret),
    remove: async (name) => void entries.delete(name),
  }
}

const broken = async (): Promise<never> => {
  throw new Error('no answer')
}

const off = { RELT_KEYCHAIN: 'off' }
const key = randomBytes(32)
const id = toKeyId(key)

/** A key for a store that knows it. */
async function create(env: Record<string, string>, folder: string) {
  const keys = openMasterKeys(env, folder)
  const made = await keys.create()
  await keys.settle(made)
  return made
}

/** One sentence that says what is wrong, with the code of a key that is not there. */
async function refusal(work: Promise<unknown>): Promise<{ message: string; hint: string | undefined }> {
  const error = await work.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(ReltError)
  const { code, message, hint } = error as ReltError
  expect(code).toBe('key_unavailable')
  expect(message).toMatch(/^\S.*[^.]\.$/)
  expect(message).not.toMatch(/\. |\n/)
  return { message, hint }
}

describe('a new master key', () => {
  test('comes from the environment, in hex or base64, and leaves no file', async () => {
    for (const text of [
      key.toString('hex'),
      key.toString('hex').toUpperCase(),
      key.toString('base64'),
      ` ${key.toString('base64')}\n`,
    ]) {
      const folder = temporaryFolder()
      keychain = keychainWith()
      expect(await openMasterKeys({ RELT_MASTER_KEY: text }, folder).create()).toEqual({ key, id, place: 'env' })
      expect(readdirSync(folder)).toEqual([])
    }
  })

  test('goes into the keychain', async () => {
    const folder = temporaryFolder()
    const machine = keychainWith()
    keychain = machine
    const made = await openMasterKeys({}, folder).create()
    expect(made).toEqual({ key: expect.any(Buffer), id: toKeyId(made.key), place: 'keychain' })
    expect([...machine.entries]).toEqual([[`master-key-${made.id}`, made.key.toString('hex')]])
    expect(readdirSync(folder)).toEqual([])
    expect(await openMasterKeys({}, folder).get(made.id, 'keychain')).toEqual(made)
  })

  test.each<[string, Record<string, string>, Keychain | undefined]>([
    ['is turned off', off, keychainWith()],
    ['is not there', {}, undefined],
    ['does not answer', {}, { get: broken, set: broken, remove: broken }],
    ['forgets', {}, { get: async () => undefined, set: async () => {}, remove: broken }],
    ['mixes up', {}, { get: async () => 'another', set: async () => {}, remove: broken }],
    ['takes and does not give', {}, { get: broken, set: async () => {}, remove: broken }],
  ])('goes into a file that only its owner reads when the keychain %s', async (_, env, machine) => {
    const folder = join(temporaryFolder(), 'a', 'relt')
    keychain = machine
    const made = await create(env, folder)
    expect(made).toMatchObject({ id: toKeyId(made.key), place: 'file' })
    const file = join(folder, 'master.key')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(readFileSync(file, 'utf8')).toBe(`${made.key.toString('hex')}\n`)
    expect(await openMasterKeys(env, folder).get(made.id, 'file')).toEqual(made)
  })

  test('is the one that a file holds already', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'master.key'), key.toString('base64'))
    keychain = keychainWith()
    expect(await openMasterKeys({}, folder).create()).toEqual({ key, id, place: 'file' })
  })

  test('takes the place of an empty file', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'master.key'), '\n', { mode: 0o644 })
    const made = await create(off, folder)
    expect(await openMasterKeys(off, folder).get(made.id, 'file')).toEqual(made)
    expect(statSync(join(folder, 'master.key')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['master.key'])
  })

  test('is another one each time', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await openMasterKeys(off, temporaryFolder()).create()).id),
    )
    expect(new Set(ids).size).toBe(20)
  })
})

describe('a master key in the making', () => {
  test('opens the store as soon as the store knows it, wherever the process ended', async () => {
    const folder = temporaryFolder()
    const keys = openMasterKeys(off, folder)
    const made = await keys.create()
    expect(readdirSync(folder)).toEqual([`master.key.${made.id}`])
    expect(await openMasterKeys(off, folder).get(made.id, 'file')).toEqual(made)
    await keys.settle(made)
    expect(readdirSync(folder)).toEqual(['master.key'])
    expect(await openMasterKeys(off, folder).get(made.id, 'file')).toEqual(made)
  })

  test('leaves the present one in its place until it is settled', async () => {
    const folder = temporaryFolder()
    const present = await create(off, folder)
    const keys = openMasterKeys(off, folder)
    const abandoned = await keys.createNext(present)
    // A process that is killed while it writes a draft leaves this.
    writeFileSync(join(folder, `master.key.${abandoned.id}.7d4529fffba17`), 'half a k')
    const next = await keys.createNext(present)
    for (const each of [present, next, abandoned]) expect(await keys.get(each.id, 'file')).toEqual(each)
    await keys.settle(next)
    await keys.remove(present)
    expect(readdirSync(folder)).toEqual(['master.key'])
    expect(await keys.get(next.id, 'file')).toEqual(next)
  })
})

describe('a given master key', () => {
  const other = randomBytes(32)
  const print = (text: string) => `echo ${text}`

  test('may be the previous one while the key is rotated', async () => {
    const env = { ...off, RELT_MASTER_KEY: other.toString('hex'), RELT_MASTER_KEY_PREVIOUS: key.toString('hex') }
    const keys = openMasterKeys(env, temporaryFolder())
    expect(await keys.get(id, 'env')).toEqual({ key, id, place: 'env' })
    expect(await keys.get(toKeyId(other), 'env')).toMatchObject({ key: other })
    const strange = toKeyId(randomBytes(32))
    expect((await refusal(keys.get(strange, 'env'))).message).toBe(
      'RELT_MASTER_KEY is not the key that sealed this store.',
    )
  })

  test('is printed by a command, which runs only when no variable has the key', async () => {
    const folder = temporaryFolder()
    const count = join(folder, 'count')
    const env = { ...off, RELT_MASTER_KEY_COMMAND: `echo x >> '${count}'; ${print(key.toString('base64'))}` }
    expect(await openMasterKeys(env, folder).create()).toEqual({ key, id, place: 'command' })
    expect(await openMasterKeys(env, folder).get(id, 'command')).toEqual({ key, id, place: 'command' })
    const withPrevious = { ...env, RELT_MASTER_KEY_PREVIOUS: other.toString('hex') }
    await openMasterKeys(withPrevious, folder).get(toKeyId(other), 'command')
    await openMasterKeys({ ...env, RELT_MASTER_KEY: key.toString('hex') }, folder).get(id, 'command')
    expect(readFileSync(count, 'utf8')).toBe('x\nx\n')
  })

  test.each([
    ['fails', 'echo no access >&2; exit 3', 'RELT_MASTER_KEY_COMMAND failed with exit code 3.'],
    [
      'prints something else',
      print('hello'),
      'The output of RELT_MASTER_KEY_COMMAND holds no master key: 32 bytes in hex or base64 are needed.',
    ],
    [
      'prints another key',
      print(other.toString('hex')),
      'The key that RELT_MASTER_KEY_COMMAND prints is not the key that sealed this store.',
    ],
  ])('is refused when its command %s', async (_, RELT_MASTER_KEY_COMMAND, message) => {
    const keys = openMasterKeys({ ...off, RELT_MASTER_KEY_COMMAND }, temporaryFolder())
    expect((await refusal(keys.get(id, 'command'))).message).toBe(message)
  })

  test('takes the place of one in a file, which goes', async () => {
    const folder = temporaryFolder()
    const present = await create(off, folder)
    const keys = openMasterKeys({ ...off, RELT_MASTER_KEY: key.toString('hex') }, folder)
    expect(await keys.getCurrent(present.id, 'file')).toEqual(present)
    const next = await keys.createNext(present)
    expect(next).toEqual({ key, id, place: 'env' })
    await keys.settle(next)
    await keys.remove(present)
    expect(readdirSync(folder)).toEqual([])
  })

  test('takes no place when it is the same', async () => {
    const keys = openMasterKeys({ ...off, RELT_MASTER_KEY: key.toString('hex') }, temporaryFolder())
    await expect(keys.createNext({ key, id, place: 'env' })).rejects.toMatchObject({
      code: 'usage',
      message: 'RELT_MASTER_KEY is the key that the store has now.',
    })
  })
})

describe('the master key of a store', () => {
  test.each(['env', 'keychain', 'file'] as const)(
    'may be given by the environment wherever it is kept: %s',
    async (place) => {
      const keys = openMasterKeys({ ...off, RELT_MASTER_KEY: key.toString('hex') }, temporaryFolder())
      expect(await keys.get(id, place)).toEqual({ key, id, place })
    },
  )

  const putBack = 'Put the key back; nothing in the store has been changed.'
  const useTheRight = 'Use the key that the store was made with; nothing in the store has been changed.'

  test.each<[string, 'env' | 'keychain' | 'file', Keychain | undefined, (file: string) => string]>([
    ['environment', 'env', undefined, () => 'it belongs in RELT_MASTER_KEY, which is not set.'],
    ['file', 'file', undefined, (file) => `it belongs in ${file}.`],
    ['keychain', 'keychain', keychainWith(), () => 'it belongs in the keychain, which does not have it.'],
    [
      'keychain of a machine without one',
      'keychain',
      undefined,
      () => 'it belongs in the keychain, which does not have it.',
    ],
  ])('is told to be missing in the %s', async (_, place, machine, where) => {
    const folder = temporaryFolder()
    keychain = machine
    expect(await refusal(openMasterKeys({}, folder).get(id, place))).toEqual({
      message: `The master key of this store is missing: ${where(join(folder, 'master.key'))}`,
      hint: putBack,
    })
    expect(readdirSync(folder)).toEqual([])
  })

  test('is told to be another one', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'master.key')
    const other = randomBytes(32).toString('hex')
    writeFileSync(file, other)
    keychain = keychainWith(new Map([[`master-key-${id}`, other]]))
    const message = async (env: Record<string, string>, place: 'file' | 'keychain') => {
      const { message, hint } = await refusal(openMasterKeys(env, folder).get(id, place))
      expect(hint).toBe(useTheRight)
      return message
    }
    expect(await message({ RELT_MASTER_KEY: other }, 'file')).toBe(
      'RELT_MASTER_KEY is not the key that sealed this store.',
    )
    expect(await message(off, 'file')).toBe(`The key in ${file} is not the key that sealed this store.`)
    expect(await message({}, 'keychain')).toMatch(/^The key in the keychain is not the key that sealed this store\.$/)
  })

  test.each([
    'x',
    'correct horse battery staple',
    key.toString('hex').slice(1),
    `${key.toString('hex')}00`,
    key.toString('base64').slice(0, 40),
    key.subarray(0, 31).toString('base64'),
    `${key.toString('hex').slice(0, 63)}g`,
    // As many letters as 32 bytes have in base64, but no base64.
    'correct horse battery staple correct horse batter',
  ])('is refused when it is %j', async (text) => {
    const folder = temporaryFolder()
    const needed = 'holds no master key: 32 bytes in hex or base64 are needed.'
    const keys = openMasterKeys({ RELT_MASTER_KEY: text }, folder)
    expect((await refusal(keys.create())).message).toBe(`RELT_MASTER_KEY ${needed}`)
    expect((await refusal(keys.get(id, 'file'))).message).toBe(`RELT_MASTER_KEY ${needed}`)
    expect(readdirSync(folder)).toEqual([])

    const file = join(folder, 'master.key')
    writeFileSync(file, text)
    expect((await refusal(openMasterKeys(off, folder).get(id, 'file'))).message).toBe(`${file} ${needed}`)
    expect((await refusal(openMasterKeys(off, folder).create())).message).toBe(`${file} ${needed}`)
    expect(readFileSync(file, 'utf8')).toBe(text)

    keychain = keychainWith(new Map([[`master-key-${id}`, text]]))
    expect((await refusal(openMasterKeys({}, folder).get(id, 'keychain'))).message).toBe(`the keychain ${needed}`)
  })

  test('is not given by a keychain that does not answer', async () => {
    keychain = { get: broken, set: broken, remove: broken }
    expect(await refusal(openMasterKeys({}, temporaryFolder()).get(id, 'keychain'))).toEqual({
      message: 'The keychain does not give the master key: no answer.',
      hint: 'Unlock the keychain and try again.',
    })
  })

  test('is told to be out of reach when its file cannot be read', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'master.key'))
    for (const work of [openMasterKeys(off, folder).get(id, 'file'), openMasterKeys(off, folder).create()]) {
      expect((await refusal(work)).message).toContain(join(folder, 'master.key'))
    }
  })
})
