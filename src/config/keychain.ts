import { tmpdir } from 'node:os'

/** The keychain of the operating system; entries of the service `relt`. */
export interface Keychain {
  get(name: string): Promise<string | undefined>
  set(name: string, secret: string): Promise<void>
  remove(name: string): Promise<void>
}

type Keyring = Pick<typeof import('@napi-rs/keyring'), 'AsyncEntry'>

/** A locked keychain prompts its owner, who may be absent. */
const patienceMs = 10_000

/** Undefined if no keychain library can be loaded; whether the keychain works is only known when it is used. */
export async function openKeychain(dataFolder: string): Promise<Keychain | undefined> {
  const keyring = await load(dataFolder)
  if (!keyring) return undefined
  // Without a pinned store, Linux would fall back to kernel memory, which is not persistent.
  const entry = (name: string) => new keyring.AsyncEntry('relt', name, { linux: { store: 'secret-service' } })
  return {
    get: async (name) => (await within(entry(name).getPassword())) ?? undefined,
    set: (name, secret) => within(entry(name).setPassword(secret)),
    remove: async (name) => void (await within(entry(name).deleteCredential())),
  }
}

/** The call itself continues to wait, because it cannot be cancelled. */
async function within<T>(call: Promise<T>) {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`it did not answer in ${patienceMs / 1000} seconds`)), patienceMs)
  try {
    return await Promise.race([call, promise])
  } finally {
    clearTimeout(timer)
  }
}

let loaded: Keyring | undefined

async function load(dataFolder: string) {
  try {
    const sea = await import('node:sea')
    loaded ??= sea.isSea() ? await loadFromExecutable(sea, dataFolder) : await import('@napi-rs/keyring')
    return loaded
  } catch {
    return undefined
  }
}

/** The single executable has the addon as an asset. */
async function loadFromExecutable(sea: typeof import('node:sea'), dataFolder: string) {
  const { loadAddon } = await import('./load-addon.ts')
  // /tmp may be mounted `noexec`.
  return loadAddon<Keyring>(new Uint8Array(sea.getRawAsset('keyring.node')), [tmpdir(), dataFolder])
}
