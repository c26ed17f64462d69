import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../util/make-folder.ts'
import { version } from '../version.ts'

/** The keychain of the operating system; entries of the service `relt`. */
export interface Keychain {
  get(name: string): Promise<string | undefined>
  set(name: string, secret: string): Promise<void>
  remove(name: string): Promise<void>
}

type Keyring = Pick<typeof import('@napi-rs/keyring'), 'AsyncEntry'>

/** A locked keychain asks its owner; nobody may be there to answer. */
const patienceMs = 10_000

/** Undefined where there is no keychain to load; a keychain that does not answer shows when it is used. */
export async function openKeychain(cacheFolder: string): Promise<Keychain | undefined> {
  const keyring = await load(cacheFolder)
  if (!keyring) return undefined
  // Without a pinned store, Linux would fall back to kernel memory, which forgets.
  const entry = (name: string) => new keyring.AsyncEntry('relt', name, { linux: { store: 'secret-service' } })
  return {
    get: async (name) => (await within(entry(name).getPassword())) ?? undefined,
    set: (name, secret) => within(entry(name).setPassword(secret)),
    remove: async (name) => void (await within(entry(name).deleteCredential())),
  }
}

/** The call itself goes on waiting: nothing can take it back once it has begun. */
async function within<T>(call: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`it did not answer in ${patienceMs / 1000} seconds`)), patienceMs)
  try {
    return await Promise.race([call, promise])
  } finally {
    clearTimeout(timer)
  }
}

async function load(cacheFolder: string): Promise<Keyring | undefined> {
  try {
    const sea = await import('node:sea')
    return sea.isSea() ? loadFromExecutable(sea, cacheFolder) : await import('@napi-rs/keyring')
  } catch {
    return undefined
  }
}

/** A single executable holds the addon as an asset; the system loads addons from files only. */
function loadFromExecutable(sea: typeof import('node:sea'), cacheFolder: string): Keyring {
  const file = join(cacheFolder, `keyring-${version}-${process.arch}.node`)
  if (!existsSync(file)) {
    makeFolder(cacheFolder)
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, new Uint8Array(sea.getRawAsset('keyring.node') as ArrayBuffer), { mode: 0o700 })
    renameSync(draft, file)
  }
  const module = { exports: {} as Keyring }
  process.dlopen(module, file)
  return module.exports
}
