import { ReltError } from '../errors.ts'
import { isObject } from '../util/json.ts'
import { type CatalogSettings, isToken, readToken } from './catalog.ts'
import type { Env } from './env.ts'
import { findKeychain, keepInKeychain } from './keychain-entry.ts'

export interface SourceSecret {
  username?: string
  secret: string
}

const toName = (slug: string) => `catalog:${slug}`
const toSuffix = (slug: string) => slug.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')
const toTokenName = (slug: string) => `RELT_CATALOG_TOKEN_${toSuffix(slug)}`

/** The facts about a project that determine where its token may be sent. */
interface SecretOwner {
  slug: string
  /** Hosts that may receive its secret from the keychain. */
  secretHosts: string[]
  /** The addresses were set through the API, not by the operator. */
  hasSyncedAddress: boolean
}

/**
 * Reads `RELT_CATALOG_TOKEN_…` with the project's slug, and the optional `RELT_CATALOG_USERNAME_…`; for the hosts and URLs
 * in `RELT_CATALOG_HOSTS_…`. Throws `unauthenticated` if the operator has not allowed the URL.
 */
export function secretFromEnv(env: Env, project: SecretOwner, address: string): SourceSecret | undefined {
  const { slug } = project
  const secret = readToken(env, toTokenName(slug))
  if (secret === undefined) return undefined
  const permission = permissionFor(env, project, address)
  if (permission === 'unset') {
    throw new ReltError('unauthenticated', `${toHostsName(slug)} does not list the hosts that may get its token`)
  }
  if (permission === 'host of a synced address') {
    const why = `its address came over the API: ${toHostsName(slug)} has to list the whole address before its token is sent`
    throw new ReltError('unauthenticated', why)
  }
  if (permission === 'no') return undefined
  const username = env[`RELT_CATALOG_USERNAME_${toSuffix(slug)}`]
  return { secret, ...(username && { username }) }
}

/** Whether requests to GitHub about a project have a token: the general one or the project's own. */
export function hasGithubToken(env: Env, { github }: CatalogSettings) {
  return (project: SecretOwner, address: string) => {
    const host = toHost(address)
    return (
      (host === 'github.com' && github.token !== undefined) ||
      (Boolean(env[toTokenName(project.slug)]?.trim()) && permissionFor(env, project, address) === 'yes') ||
      project.secretHosts.includes(host)
    )
  }
}

/** Without this check, an API client could redirect a token to another owner on the same host. */
function permissionFor(env: Env, { slug, hasSyncedAddress }: SecretOwner, address: string) {
  const named = (env[toHostsName(slug)] ?? '').split(/[\s,]+/).filter((each) => each !== '')
  if (named.length === 0) return 'unset'
  if (named.includes(address)) return 'yes'
  if (!named.includes(toHost(address))) return 'no'
  return hasSyncedAddress ? 'host of a synced address' : 'yes'
}

const toHostsName = (slug: string) => `RELT_CATALOG_HOSTS_${toSuffix(slug)}`
const toHost = (address: string) => URL.parse(address)?.host ?? ''

/** Stores the token with its allowed URLs. Throws `usage` for an invalid token, and without a usable keychain. */
export async function keepSourceSecret(
  env: Env,
  folder: string,
  slug: string,
  kept: { secret: string; addresses: string[] },
) {
  if (!isToken(kept.secret)) throw new ReltError('usage', 'The token has characters that no token has.')
  if (await keepInKeychain(await findKeychain(env, folder), toName(slug), JSON.stringify(kept))) return
  throw new ReltError('usage', 'No keychain on this machine can store the token.', {
    hint: `Remove --secret-file and set ${toTokenName(slug)}.`,
  })
}

/**
 * Returns the stored secret of a project for one of its URLs. Throws `unauthenticated` if the keychain does not return it,
 * or if it was stored for other URLs.
 */
export async function getSourceSecret(env: Env, folder: string, slug: string, address: string): Promise<SourceSecret> {
  const keychain = await findKeychain(env, folder)
  const kept = await keychain?.get(toName(slug)).catch(() => undefined)
  if (!kept) throw new ReltError('unauthenticated', 'the keychain does not give the token of the project')
  const entry = parseKept(kept)
  if (entry?.addresses.includes(address)) return { secret: entry.secret }
  const why = `the token was not given for this address: run relt catalog edit ${slug} --secret-file -`
  throw new ReltError('unauthenticated', why)
}

/** Undefined for what `keepSourceSecret` did not write. */
function parseKept(text: string) {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value) && typeof value.secret === 'string' && Array.isArray(value.addresses)) {
      return { secret: value.secret, addresses: value.addresses as unknown[] }
    }
  } catch {
    // Not JSON.
  }
  return undefined
}

/** Ignores errors of the keychain, because the project is gone. */
export async function removeSourceSecret(env: Env, folder: string, slug: string) {
  await (await findKeychain(env, folder))?.remove(toName(slug)).catch(() => undefined)
}
