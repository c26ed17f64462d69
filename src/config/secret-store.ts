import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { ReltError } from '../errors.ts'
import { isObject } from '../util/json.ts'
import { readOwnFile } from '../util/own-file.ts'
import { keyLength, seal, unseal } from '../util/seal.ts'
import type { KnownServer, SecretPlace } from './config-file.ts'
import { configFolder, dataFolder, type Env } from './env.ts'
import { findKeychain, keepInKeychain } from './keychain-entry.ts'
import { writePrivateFile } from './private-file.ts'

type Holder = Pick<KnownServer, 'url' | 'username'>

/**
 * Secrets of servers: in the keychain of the operating system, else in a private file, sealed with a key in another file. A
 * secret is bound to URL and user: it is not found after the URL changes.
 */
export class SecretStore {
  readonly #env: Env

  constructor(env: Env) {
    this.#env = env
  }

  /** Returns the location of the secret. */
  async put(server: Holder, secret: string): Promise<SecretPlace> {
    const name = toName(server)
    if (await keepInKeychain(await this.#keychain(), name, secret)) return 'keychain'
    const key = this.#readKey() ?? this.#newKey()
    const sealed = seal(key, name, Buffer.from(secret)).toString('base64')
    this.#write({ ...this.#read(), [name]: sealed })
    return 'file'
  }

  /** Throws `unauthenticated` if it is no longer at its location. */
  async get(server: Holder & { secret: SecretPlace }): Promise<string> {
    const name = toName(server)
    const secret = server.secret === 'keychain' ? await this.#fromKeychain(name) : this.#fromFile(name)
    if (secret !== undefined) return secret
    const where = server.secret === 'keychain' ? 'The keychain' : this.file
    throw new ReltError('unauthenticated', `${where} has no secret of ${name}.`, {
      hint: `Sign in again: relt auth login ${server.url}`,
    })
  }

  /** False if its keychain is not accessible. */
  async remove(server: Holder & { secret: SecretPlace }): Promise<boolean> {
    const name = toName(server)
    if (server.secret === 'file') {
      const { [name]: _, ...others } = this.#read()
      this.#write(others)
      return true
    }
    const keychain = await this.#keychain()
    if (!keychain) return false
    try {
      await keychain.remove(name)
      return true
    } catch {
      return false
    }
  }

  get file() {
    return join(configFolder(this.#env), 'credentials.json')
  }

  get #keyFile() {
    return join(dataFolder(this.#env), 'credentials.key')
  }

  async #keychain() {
    return findKeychain(this.#env, dataFolder(this.#env))
  }

  async #fromKeychain(name: string) {
    try {
      return await (await this.#keychain())?.get(name)
    } catch (cause) {
      const message = `The keychain does not give the secret of ${name}: ${(cause as Error).message}.`
      throw new ReltError('unauthenticated', message, {
        hint: 'Unlock the keychain, or set RELT_USERNAME and RELT_PASSWORD.',
        cause,
      })
    }
  }

  #fromFile(name: string): string | undefined {
    const sealed = this.#read()[name]
    const key = this.#readKey()
    if (sealed === undefined || !key) return undefined
    try {
      return unseal(key, name, Buffer.from(sealed, 'base64')).toString('utf8')
    } catch {
      return undefined
    }
  }

  #read(): Record<string, string> {
    const text = readIfThere(this.file)
    if (text === undefined) return {}
    try {
      const value: unknown = JSON.parse(text)
      if (isObject(value) && Object.values(value).every((each) => typeof each === 'string')) {
        return value as Record<string, string>
      }
    } catch {
      // Reported below.
    }
    throw new ReltError('unauthenticated', `${this.file} holds no sealed secrets.`, {
      hint: 'Remove the file and sign in again: relt auth login',
    })
  }

  #write(secrets: Record<string, string>) {
    writePrivateFile(this.file, `${JSON.stringify(secrets, null, 2)}\n`)
  }

  #readKey(): Buffer | undefined {
    const key = Buffer.from(readIfThere(this.#keyFile)?.trim() ?? '', 'hex')
    return key.length === keyLength ? key : undefined
  }

  #newKey(): Buffer {
    const key = randomBytes(keyLength)
    writePrivateFile(this.#keyFile, `${key.toString('hex')}\n`)
    return key
  }
}

const toName = ({ url, username }: Holder) => `${username}@${url}`

function readIfThere(file: string): string | undefined {
  try {
    return readOwnFile(file).toString('utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ReltError('unauthenticated', `${file} cannot be read: ${(cause as Error).message}.`, { cause })
  }
}
