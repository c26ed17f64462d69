import { ReltError } from '../errors.ts'
import { readToken } from './catalog.ts'
import type { Env } from './env.ts'
import { openKeychain } from './keychain.ts'

export interface SourceSecret {
  username?: string
  secret: string
}

const nameOf = (slug: string) => `catalog:${slug}`

/** `RELT_CATALOG_TOKEN_…` with the project's slug, and `RELT_CATALOG_USERNAME_…` where a name belongs to it. */
export function secretFromEnv(env: Env, slug: string): SourceSecret | undefined {
  const suffix = slug.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')
  const secret = readToken(env, `RELT_CATALOG_TOKEN_${suffix}`)
  const username = env[`RELT_CATALOG_USERNAME_${suffix}`]
  return secret === undefined ? undefined : { secret, ...(username && { username }) }
}

/** Throws `usage` where there is no keychain that would keep it. */
export async function keepSourceSecret(env: Env, folder: string, slug: string, secret: string): Promise<void> {
  const keychain = await findKeychain(env, folder)
  try {
    if (keychain) return await keychain.set(nameOf(slug), secret)
  } catch {
    // Said below: what the keychain says of it could quote the secret.
  }
  throw new ReltError('usage', 'There is no keychain here that would keep the token.', {
    hint: `Leave --token-stdin away and set RELT_CATALOG_TOKEN_${slug.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}.`,
  })
}

/** Of a project whose secret was kept. Throws `unauthenticated` when it cannot be had. */
export async function getSourceSecret(env: Env, folder: string, slug: string): Promise<SourceSecret> {
  const keychain = await findKeychain(env, folder)
  const secret = await keychain?.get(nameOf(slug)).catch(() => undefined)
  if (secret) return { secret }
  throw new ReltError('unauthenticated', 'the keychain does not give the token of the project')
}

async function findKeychain(env: Env, folder: string) {
  return env.RELT_KEYCHAIN === 'off' ? undefined : openKeychain(folder)
}
