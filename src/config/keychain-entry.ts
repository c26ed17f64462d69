import type { Env } from './env.ts'
import { type Keychain, openKeychain } from './keychain.ts'

/** The keychain, if available and not disabled by `RELT_KEYCHAIN=off`. */
export async function findKeychain(env: Env, dataFolder: string): Promise<Keychain | undefined> {
  return env.RELT_KEYCHAIN === 'off' ? undefined : openKeychain(dataFolder)
}

/** False if the keychain does not return a stored value: it is missing, locked or not persistent. */
export async function keepInKeychain(keychain: Keychain | undefined, name: string, secret: string) {
  if (!keychain) return false
  try {
    await keychain.set(name, secret)
    return (await keychain.get(name)) === secret
  } catch {
    return false
  }
}
