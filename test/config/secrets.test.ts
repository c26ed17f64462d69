import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Keychain } from '../../src/config/keychain.ts'
import { MasterKeys } from '../../src/config/secrets.ts'
import { ReltError } from '../../src/errors.ts'
import { keyIdOf } from '../../src/util/seal.ts'
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
const id = keyIdOf(key)

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
      expect(await new MasterKeys({ RELT_MASTER_KEY: text }, folder).create()).toEqual({ key, id, place: 'env' })
      expect(readdirSync(folder)).toEqual([])
    }
  })

  test('goes into the keychain', async () => {
    const folder = temporaryFolder()
    const machine = keychainWith()
    keychain = machine
    const made = await new MasterKeys({}, folder).create()
    expect(made).toEqual({ key: expect.any(Buffer), id: keyIdOf(made.key), place: 'keychain' })
    expect([...machine.entries]).toEqual([[`master-key-${made.id}`, made.key.toString('hex')]])
    expect(readdirSync(folder)).toEqual([])
    expect(await new MasterKeys({}, folder).get(made.id, 'keychain')).toEqual(made)
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
    const made = await new MasterKeys(env, folder).create()
    expect(made).toMatchObject({ id: keyIdOf(made.key), place: 'file' })
    const file = join(folder, 'master.key')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(readFileSync(file, 'utf8')).toBe(`${made.key.toString('hex')}\n`)
    expect(await new MasterKeys(env, folder).get(made.id, 'file')).toEqual(made)
  })

  test('is the one that a file holds already', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'master.key'), key.toString('base64'))
    keychain = keychainWith()
    expect(await new MasterKeys({}, folder).create()).toEqual({ key, id, place: 'file' })
  })

  test('takes the place of an empty file', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'master.key'), '\n', { mode: 0o644 })
    const made = await new MasterKeys(off, folder).create()
    expect(await new MasterKeys(off, folder).get(made.id, 'file')).toEqual(made)
    expect(statSync(join(folder, 'master.key')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['master.key'])
  })

  test('is another one each time', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await new MasterKeys(off, temporaryFolder()).create()).id),
    )
    expect(new Set(ids).size).toBe(20)
  })
})

describe('the master key of a store', () => {
  test.each(['env', 'keychain', 'file'] as const)(
    'may be given by the environment wherever it is kept: %s',
    async (place) => {
      const keys = new MasterKeys({ ...off, RELT_MASTER_KEY: key.toString('hex') }, temporaryFolder())
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
    expect(await refusal(new MasterKeys({}, folder).get(id, place))).toEqual({
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
      const { message, hint } = await refusal(new MasterKeys(env, folder).get(id, place))
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
    const keys = new MasterKeys({ RELT_MASTER_KEY: text }, folder)
    expect((await refusal(keys.create())).message).toBe(`RELT_MASTER_KEY ${needed}`)
    expect((await refusal(keys.get(id, 'file'))).message).toBe(`RELT_MASTER_KEY ${needed}`)
    expect(readdirSync(folder)).toEqual([])

    const file = join(folder, 'master.key')
    writeFileSync(file, text)
    expect((await refusal(new MasterKeys(off, folder).get(id, 'file'))).message).toBe(`${file} ${needed}`)
    expect((await refusal(new MasterKeys(off, folder).create())).message).toBe(`${file} ${needed}`)
    expect(readFileSync(file, 'utf8')).toBe(text)

    keychain = keychainWith(new Map([[`master-key-${id}`, text]]))
    expect((await refusal(new MasterKeys({}, folder).get(id, 'keychain'))).message).toBe(`the keychain ${needed}`)
  })

  test('is not given by a keychain that does not answer', async () => {
    keychain = { get: broken, set: broken, remove: broken }
    expect(await refusal(new MasterKeys({}, temporaryFolder()).get(id, 'keychain'))).toEqual({
      message: 'The keychain does not give the master key: no answer.',
      hint: 'Unlock the keychain and try again.',
    })
  })

  test('is told to be out of reach when its file cannot be read', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'master.key'))
    for (const work of [new MasterKeys(off, folder).get(id, 'file'), new MasterKeys(off, folder).create()]) {
      expect((await refusal(work)).message).toContain(join(folder, 'master.key'))
    }
  })
})
