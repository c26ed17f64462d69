import { ReltError } from '../errors.ts'
import { isToken, readToken } from './catalog.ts'
import type { Env } from './env.ts'
import { findKeychain, keepInKeychain } from './keychain-entry.ts'

export interface SourceSecret {
  username?: string
  secret: string
}

const nameOf = (slug: string) => `catalog:${slug}`
const suffixOf = (slug: string) => slug.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')

/**
 * `RELT_CATALOG_TOKEN_…` with the project's slug, and `RELT_CATALOG_USERNAME_…` where a name belongs to it; for the hosts
 * of `RELT_CATALOG_HOSTS_…`, or for whichever the project names.
 */
export function secretFromEnv(env: Env, slug: string, host: string): SourceSecret | undefined {
  const suffix = suffixOf(slug)
  const secret = readToken(env, `RELT_CATALOG_TOKEN_${suffix}`)
  const hosts = env[`RELT_CATALOG_HOSTS_${suffix}`]?.split(/[\s,]+/)
  if (secret === undefined || hosts?.includes(host) === false) return undefined
  const username = env[`RELT_CATALOG_USERNAME_${suffix}`]
  return { secret, ...(username && { username }) }
}

/** Throws `usage` for what is no token, and where there is no keychain that keeps it. */
export async function keepSourceSecret(env: Env, folder: string, slug: string, secret: string): Promise<void> {
  if (!isToken(secret)) throw new ReltError('usage', 'The token has characters that no token has.')
  if (await keepInKeychain(await findKeychain(env, folder), nameOf(slug), secret)) return
  throw new ReltError('usage', 'There is no keychain here that would keep the token.', {
    hint: `Leave --token-stdin away and set RELT_CATALOG_TOKEN_${suffixOf(slug)}.`,
  })
}

/** Of a project whose secret was kept. Throws `unauthenticated` when it cannot be had. */
export async function getSourceSecret(env: Env, folder: string, slug: string): Promise<SourceSecret> {
  const keychain = await findKeychain(env, folder)
  const secret = await keychain?.get(nameOf(slug)).catch(() => undefined)
  if (secret) return { secret }
  throw new ReltError('unauthenticated', 'the keychain does not give the token of the project')
}

/** One that the keychain does not let go of is told to nobody: its project is gone. */
export async function removeSourceSecret(env: Env, folder: string, slug: string): Promise<void> {
  await (await findKeychain(env, folder))?.remove(nameOf(slug)).catch(() => undefined)
}
