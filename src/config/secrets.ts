import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ReltError } from '../errors.ts'
import { keyIdOf, keyLength } from '../util/seal.ts'
import type { Env } from './env.ts'
import { findKeychain, keepInKeychain } from './keychain-entry.ts'
import { writePrivateFile } from './private-file.ts'

/** Where a store's master key is kept. */
export type KeyPlace = 'env' | 'keychain' | 'file'

export interface MasterKey {
  key: Buffer
  id: string
  place: KeyPlace
}

/**
 * The master key of a store: `RELT_MASTER_KEY`, then the keychain of the operating system, then a file that only its
 * owner reads. `RELT_KEYCHAIN=off` leaves the keychain out.
 */
export class MasterKeys {
  readonly #env: Env
  readonly #folder: string

  constructor(env: Env, folder: string) {
    this.#env = env
    this.#folder = folder
  }

  /** The key with this id, from where it was put. Throws `key_unavailable` when it is missing or another one. */
  async get(id: string, place: KeyPlace): Promise<MasterKey> {
    const fromEnv = masterKeyOfEnv(this.#env)
    const key = fromEnv ?? (place === 'keychain' ? await this.#fromKeychain(id) : this.#fromFile())
    if (!key) throw missing(place, this.#file)
    if (keyIdOf(key) !== id)
      throw wrong(fromEnv ? 'RELT_MASTER_KEY' : `The key in ${place === 'keychain' ? 'the keychain' : this.#file}`)
    return { key, id, place }
  }

  /** A key for a store that has none yet. */
  async create(): Promise<MasterKey> {
    const fromEnv = masterKeyOfEnv(this.#env)
    if (fromEnv) return { key: fromEnv, id: keyIdOf(fromEnv), place: 'env' }
    const left = this.#fromFile()
    if (left) return { key: left, id: keyIdOf(left), place: 'file' }
    const key = randomBytes(keyLength)
    const id = keyIdOf(key)
    const keychain = await findKeychain(this.#env, this.#folder)
    if (await keepInKeychain(keychain, keychainName(id), key.toString('hex'))) return { key, id, place: 'keychain' }
    writePrivateFile(this.#file, `${key.toString('hex')}\n`)
    return { key, id, place: 'file' }
  }

  get #file(): string {
    return join(this.#folder, 'master.key')
  }

  #fromFile(): Buffer | undefined {
    try {
      const text = readFileSync(this.#file, 'utf8')
      return text.trim() === '' ? undefined : parseKey(text, this.#file)
    } catch (error) {
      if (error instanceof ReltError) throw error
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw new ReltError(
        'key_unavailable',
        `The master key in ${this.#file} cannot be read: ${(error as Error).message}.`,
        {
          hint: 'Make the file readable; nothing in the store has been changed.',
          cause: error,
        },
      )
    }
  }

  async #fromKeychain(id: string): Promise<Buffer | undefined> {
    const keychain = await findKeychain(this.#env, this.#folder)
    if (!keychain) return undefined
    try {
      const text = await keychain.get(keychainName(id))
      return text === undefined ? undefined : parseKey(text, 'the keychain')
    } catch (cause) {
      if (cause instanceof ReltError) throw cause
      throw new ReltError(
        'key_unavailable',
        `The keychain does not give the master key: ${(cause as Error).message}.`,
        {
          hint: 'Unlock the keychain and try again.',
          cause,
        },
      )
    }
  }
}

/** Throws `key_unavailable` when it is set to something else. */
export function masterKeyOfEnv({ RELT_MASTER_KEY }: Env): Buffer | undefined {
  return RELT_MASTER_KEY ? parseKey(RELT_MASTER_KEY, 'RELT_MASTER_KEY') : undefined
}

const keychainName = (id: string): string => `master-key-${id}`

function parseKey(text: string, where: string): Buffer {
  const trimmed = text.trim()
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex')
  if (/^[A-Za-z0-9+/]{43}=$/.test(trimmed)) return Buffer.from(trimmed, 'base64')
  throw new ReltError('key_unavailable', `${where} holds no master key: 32 bytes in hex or base64 are needed.`)
}

function missing(place: KeyPlace, file: string): ReltError {
  const where = { env: 'RELT_MASTER_KEY, which is not set', keychain: 'the keychain, which does not have it', file }
  const message = `The master key of this store is missing: it belongs in ${where[place]}.`
  return new ReltError('key_unavailable', message, {
    hint: 'Put the key back; nothing in the store has been changed.',
  })
}

function wrong(where: string): ReltError {
  return new ReltError('key_unavailable', `${where} is not the key that sealed this store.`, {
    hint: 'Use the key that the store was made with; nothing in the store has been changed.',
  })
}
