import { ReltError } from '../errors.ts'
import { type CatalogSettings, isToken, readToken } from './catalog.ts'
import type { Env } from './env.ts'
import { findKeychain, keepInKeychain } from './keychain-entry.ts'

export interface SourceSecret {
  username?: string
  secret: string
}

const nameOf = (slug: string) => `catalog:${slug}`
const suffixOf = (slug: string) => slug.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')
const tokenNameOf = (slug: string) => `RELT_CATALOG_TOKEN_${suffixOf(slug)}`

/**
 * `RELT_CATALOG_TOKEN_…` with the project's slug, and `RELT_CATALOG_USERNAME_…` where a name belongs to it; for the hosts
 * of `RELT_CATALOG_HOSTS_…`, or for whichever the project names.
 */
export function secretFromEnv(env: Env, slug: string, host: string): SourceSecret | undefined {
  const secret = readToken(env, tokenNameOf(slug))
  if (secret === undefined || !isForHost(env, slug, host)) return undefined
  const username = env[`RELT_CATALOG_USERNAME_${suffixOf(slug)}`]
  return { secret, ...(username && { username }) }
}

/** Whether GitHub is asked about a project with a token, at a host: the one for all, or the project's own. */
export function hasGithubToken(env: Env, { github }: Pick<CatalogSettings, 'github'>) {
  return ({ slug, secretHosts }: { slug: string; secretHosts: string[] }, host: string): boolean =>
    (host === 'github.com' && github.token !== undefined) ||
    (Boolean(env[tokenNameOf(slug)]?.trim()) && isForHost(env, slug, host)) ||
    secretHosts.includes(host)
}

function isForHost(env: Env, slug: string, host: string): boolean {
  return env[`RELT_CATALOG_HOSTS_${suffixOf(slug)}`]?.split(/[\s,]+/).includes(host) !== false
}

/** Throws `usage` for what is no token, and where there is no keychain that keeps it. */
export async function keepSourceSecret(env: Env, folder: string, slug: string, secret: string): Promise<void> {
  if (!isToken(secret)) throw new ReltError('usage', 'The token has characters that no token has.')
  if (await keepInKeychain(await findKeychain(env, folder), nameOf(slug), secret)) return
  throw new ReltError('usage', 'There is no keychain here that would keep the token.', {
    hint: `Leave --token-stdin away and set ${tokenNameOf(slug)}.`,
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
