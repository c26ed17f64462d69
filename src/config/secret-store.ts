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
export function openSecretStore(env: Env) {
  const file = join(configFolder(env), 'credentials.json')
  const folder = dataFolder(env)
  const keyFile = join(folder, 'credentials.key')
  return { file, put, get, remove }

  /** Returns the location of the secret. */
  async function put(server: Holder, secret: string): Promise<SecretPlace> {
    const name = toName(server)
    if (await keepInKeychain(await findKeychain(env, folder), name, secret)) return 'keychain'
    const key = readKey() ?? newKey()
    write({ ...read(), [name]: seal(key, name, Buffer.from(secret)).toString('base64') })
    return 'file'
  }

  /** Throws `unauthenticated` if it is no longer at its location. */
  async function get(server: Holder & { secret: SecretPlace }) {
    const name = toName(server)
    const secret = server.secret === 'keychain' ? await fromKeychain(name) : fromFile(name)
    if (secret !== undefined) return secret
    const where = server.secret === 'keychain' ? 'The keychain' : file
    throw new ReltError('unauthenticated', `${where} has no secret of ${name}.`, {
      hint: `Sign in again: relt auth login ${server.url}`,
    })
  }

  /** False if its keychain is not accessible. */
  async function remove(server: Holder & { secret: SecretPlace }) {
    const name = toName(server)
    if (server.secret === 'file') {
      const { [name]: _, ...others } = read()
      write(others)
      return true
    }
    const keychain = await findKeychain(env, folder)
    if (!keychain) return false
    try {
      await keychain.remove(name)
      return true
    } catch {
      return false
    }
  }

  async function fromKeychain(name: string) {
    try {
      return await (await findKeychain(env, folder))?.get(name)
    } catch (cause) {
      const message = `The keychain does not give the secret of ${name}: ${(cause as Error).message}.`
      throw new ReltError('unauthenticated', message, {
        hint: 'Unlock the keychain, or set RELT_USERNAME and RELT_PASSWORD.',
        cause,
      })
    }
  }

  function fromFile(name: string) {
    const sealed = read()[name]
    const key = readKey()
    if (sealed === undefined || !key) return undefined
    try {
      return unseal(key, name, Buffer.from(sealed, 'base64')).toString('utf8')
    } catch {
      return undefined
    }
  }

  function read() {
    const text = readIfThere(file)
    if (text === undefined) return {}
    try {
      const value: unknown = JSON.parse(text)
      if (isObject(value) && Object.values(value).every((each) => typeof each === 'string')) {
        return value as Record<string, string>
      }
    } catch {
      // Reported below.
    }
    throw new ReltError('unauthenticated', `${file} holds no sealed secrets.`, {
      hint: 'Remove the file and sign in again: relt auth login',
    })
  }

  function write(secrets: Record<string, string>) {
    writePrivateFile(file, `${JSON.stringify(secrets, null, 2)}\n`)
  }

  function readKey(): Buffer | undefined {
    const key = Buffer.from(readIfThere(keyFile)?.trim() ?? '', 'hex')
    return key.length === keyLength ? key : undefined
  }

  function newKey(): Buffer {
    const key = randomBytes(keyLength)
    writePrivateFile(keyFile, `${key.toString('hex')}\n`)
    return key
  }
}

const toName = ({ url, username }: Holder) => `${username}@${url}`

function readIfThere(file: string) {
  try {
    return readOwnFile(file).toString('utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new ReltError('unauthenticated', `${file} cannot be read: ${(cause as Error).message}.`, { cause })
  }
}
