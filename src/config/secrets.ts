import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ReltError } from '../errors.ts'
import { readOwnFile } from '../util/own-file.ts'
import { keyLength, toKeyId } from '../util/seal.ts'
import type { Env } from './env.ts'
import { findKeychain, keepInKeychain } from './keychain-entry.ts'
import { writePrivateFile } from './private-file.ts'

/** Location of a store's master key. */
export type KeyPlace = 'env' | 'command' | 'keychain' | 'file'

export interface MasterKey {
  key: Buffer
  id: string
  place: KeyPlace
}

/**
 * The master key of a store: from `RELT_MASTER_KEY`, `RELT_MASTER_KEY_COMMAND`, the keychain of the operating system, or a
 * private file, in this order. `RELT_KEYCHAIN=off` skips the keychain. `RELT_MASTER_KEY_PREVIOUS` opens a store whose key is
 * being rotated.
 */
export function openMasterKeys(env: Env, folder: string) {
  const file = join(folder, 'master.key')
  return { get, getCurrent, create, createNext, settle, remove }

  /** The key with this id from its location. Throws `key_unavailable` if it is missing or a different one. */
  async function get(id: string, place: KeyPlace): Promise<MasterKey> {
    const key = (await matchGiven(id)) ?? (isGiven() ? undefined : await findStored(id, place))
    if (key && toKeyId(key) === id) return { key, id, place }
    if (key) throw wrong(`The key in ${place === 'keychain' ? 'the keychain' : file}`)
    if (env.RELT_MASTER_KEY) throw wrong('RELT_MASTER_KEY')
    if (isGiven()) throw wrong('The key that RELT_MASTER_KEY_COMMAND prints')
    throw missing(place, file)
  }

  /**
   * Like `get`, for a rotation: the environment may already provide the next key, while the current one is still at its
   * location.
   */
  async function getCurrent(id: string, place: KeyPlace): Promise<MasterKey> {
    const stored = isGiven() && !(await matchGiven(id)) ? await findStored(id, place) : undefined
    return stored && toKeyId(stored) === id ? { key: stored, id, place } : get(id, place)
  }

  /** Creates a key for a store that has none. One in a file is moved to its location by `settle`. */
  async function create(): Promise<MasterKey> {
    const given = await findGiven()
    if (given) return given
    const left = fromFile(file)
    return left ? { key: left, id: toKeyId(left), place: 'file' } : make()
  }

  /** Creates the key to replace another one. Throws `usage` if the environment still provides the same key. */
  async function createNext(current: MasterKey): Promise<MasterKey> {
    const given = await findGiven()
    if (!given) return make()
    if (given.id !== current.id) return given
    const name = given.place === 'env' ? 'RELT_MASTER_KEY' : 'RELT_MASTER_KEY_COMMAND'
    throw new ReltError('usage', `${name} is the key that the store has now.`, {
      hint:
        given.place === 'env'
          ? 'Set RELT_MASTER_KEY to the new key, and RELT_MASTER_KEY_PREVIOUS to the present one.'
          : 'Let the command print the new key, and set RELT_MASTER_KEY_PREVIOUS to the present one.',
    })
  }

  /**
   * Moves the key to its final location once the store has it, under the store's write lock. Until then its file has another
   * name, so that neither a crash nor a failed transaction loses the valid key.
   */
  async function settle({ id, place }: MasterKey) {
    if (place !== 'file') return
    const draft = draftOf(id)
    if (existsSync(draft)) renameSync(draft, file)
    for (const name of readdirSync(folder)) {
      if (draftName.test(name)) rmSync(join(folder, name), { force: true })
    }
  }

  /** Deletes a replaced key, unless the environment provides it. */
  async function remove({ id, place }: MasterKey) {
    if (place === 'keychain') {
      const keychain = await findKeychain(env, folder)
      await keychain?.remove(keychainName(id)).catch(() => undefined)
    }
    if (place !== 'file') return
    rmSync(draftOf(id), { force: true })
    const key = fromFile(file)
    if (key && toKeyId(key) === id) rmSync(file)
  }

  /** Whether the environment provides the key. */
  function isGiven() {
    return Boolean(env.RELT_MASTER_KEY || env.RELT_MASTER_KEY_COMMAND)
  }

  /** The key that the environment provides now. */
  async function findGiven(): Promise<MasterKey | undefined> {
    const fromEnv = masterKeyOfEnv(env)
    if (fromEnv) return { key: fromEnv, id: toKeyId(fromEnv), place: 'env' }
    const printed = await fromCommand()
    return printed && { key: printed, id: toKeyId(printed), place: 'command' }
  }

  /**
   * The key with this id from the environment: the current or the previous one. The command runs only if nothing else
   * matches.
   */
  async function matchGiven(id: string): Promise<Buffer | undefined> {
    const fromEnv = [masterKeyOfEnv(env), previousKeyOfEnv(env)].find((key) => key && toKeyId(key) === id)
    if (fromEnv || env.RELT_MASTER_KEY) return fromEnv
    const printed = await fromCommand()
    return printed && toKeyId(printed) === id ? printed : undefined
  }

  async function fromCommand(): Promise<Buffer | undefined> {
    const command = env.RELT_MASTER_KEY_COMMAND
    if (!command) return undefined
    const { runKeyCommand } = await import('./key-command.ts')
    return parseKey(await runKeyCommand(command, env), 'The output of RELT_MASTER_KEY_COMMAND')
  }

  async function findStored(id: string, place: KeyPlace): Promise<Buffer | undefined> {
    if (place === 'keychain') return fromKeychain(id)
    // A process that ends between commit and `settle` leaves the key in its draft file.
    return fromFile(draftOf(id)) ?? fromFile(file)
  }

  async function make(): Promise<MasterKey> {
    const key = randomBytes(keyLength)
    const id = toKeyId(key)
    const keychain = await findKeychain(env, folder)
    if (await keepInKeychain(keychain, keychainName(id), key.toString('hex'))) return { key, id, place: 'keychain' }
    writePrivateFile(draftOf(id), `${key.toString('hex')}\n`)
    return { key, id, place: 'file' }
  }

  function draftOf(id: string) {
    return `${file}.${id}`
  }

  function fromFile(file: string): Buffer | undefined {
    try {
      const text = readOwnFile(file).toString('utf8')
      return text.trim() === '' ? undefined : parseKey(text, file)
    } catch (error) {
      if (error instanceof ReltError) throw error
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw new ReltError('key_unavailable', `The master key in ${file} cannot be read: ${(error as Error).message}.`, {
        hint: 'Make the file readable; nothing in the store has been changed.',
        cause: error,
      })
    }
  }

  async function fromKeychain(id: string): Promise<Buffer | undefined> {
    const keychain = await findKeychain(env, folder)
    if (!keychain) return undefined
    try {
      const text = await keychain.get(keychainName(id))
      return text === undefined ? undefined : parseKey(text, 'the keychain')
    } catch (cause) {
      if (cause instanceof ReltError) throw cause
      const message = `The keychain does not give the master key: ${(cause as Error).message}.`
      throw new ReltError('key_unavailable', message, { hint: 'Unlock the keychain and try again.', cause })
    }
  }
}

export type MasterKeys = ReturnType<typeof openMasterKeys>

/** Throws `key_unavailable` for an invalid value. */
export function masterKeyOfEnv({ RELT_MASTER_KEY }: Env): Buffer | undefined {
  return RELT_MASTER_KEY ? parseKey(RELT_MASTER_KEY, 'RELT_MASTER_KEY') : undefined
}

/** The key before a rotation. Throws `key_unavailable` for an invalid value. */
export function previousKeyOfEnv({ RELT_MASTER_KEY_PREVIOUS: text }: Env): Buffer | undefined {
  return text ? parseKey(text, 'RELT_MASTER_KEY_PREVIOUS') : undefined
}

/** Matches the draft of a key, and the temporary file from which a draft is renamed. */
const draftName = /^master\.key\.[0-9a-f]{16}(?:\.[0-9a-f]+)?$/

const keychainName = (id: string) => `master-key-${id}`

function parseKey(text: string, where: string): Buffer {
  const trimmed = text.trim()
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex')
  if (/^[A-Za-z0-9+/]{43}=$/.test(trimmed)) return Buffer.from(trimmed, 'base64')
  throw new ReltError('key_unavailable', `${where} holds no master key: 32 bytes in hex or base64 are needed.`)
}

function missing(place: KeyPlace, file: string) {
  const where = {
    env: 'RELT_MASTER_KEY, which is not set',
    command: 'RELT_MASTER_KEY_COMMAND, which is not set',
    keychain: 'the keychain, which does not have it',
    file,
  }
  return new ReltError('key_unavailable', `The master key of this store is missing: it belongs in ${where[place]}.`, {
    hint: 'Put the key back; nothing in the store has been changed.',
  })
}

function wrong(where: string) {
  return new ReltError('key_unavailable', `${where} is not the key that sealed this store.`, {
    hint: 'Use the key that the store was made with; nothing in the store has been changed.',
  })
}
