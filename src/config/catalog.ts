import { isIP } from 'node:net'
import { publisherKey } from '../catalog/publisher-key.ts'
import { ReltError } from '../errors.ts'
import type { HttpAccess } from '../util/http-guard.ts'
import type { Env } from './env.ts'

/** Settings of the catalog sync: mirrors, hosts and interval. */
export interface CatalogSettings {
  github: { webUrl: string; apiUrl: string; token: string | undefined }
  /** Hosts of GitHub Enterprise servers. */
  githubHosts: string[]
  /** Mirrors of registries, by host. */
  registryMirrors: Record<string, string>
  /** URL of OSV; undefined disables it. */
  osvUrl: string | undefined
  /** URL of endoflife.date; undefined disables it. */
  eolUrl: string | undefined
  /** URL of the list of exploited vulnerabilities; undefined disables it. */
  exploitedUrl: string | undefined
  /** Base URL of the channel files of k3s and RKE2, such as https://raw.githubusercontent.com; undefined disables them. */
  channelsUrl: string | undefined
  /** Addresses that collectors may connect to. */
  access: HttpAccess
  /** Hours between two syncs of a server; 0 disables them. */
  syncHours: number
  /** Where bundles are published: a web address or `oci://…`. */
  pullUrl: string | undefined
  /** Public key of their publisher, instead of the one that relt was built with. */
  publisher: string | undefined
}

/** CISA's catalog of known exploited vulnerabilities. */
const exploitedList = 'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json'

/**
 * Reads `RELT_GITHUB_TOKEN`, `_URL`, `_API_URL`, `_HOSTS`, `RELT_REGISTRY_MIRRORS`, `RELT_OSV_URL`, `RELT_EOL_URL`,
 * `RELT_KEV_URL`, `RELT_CHANNELS_URL`, `RELT_ALLOW_NETS`, `RELT_CATALOG_SYNC_HOURS`,
 * `RELT_CATALOG_URL` and `RELT_CATALOG_KEY`. Throws `usage`.
 */
export function readCatalogSettings(env: Env): CatalogSettings {
  const githubHosts = (env.RELT_GITHUB_HOSTS ?? '').split(/[\s,]+/).filter((host) => host !== '')
  const registryMirrors = readMirrors(env, 'RELT_REGISTRY_MIRRORS')
  const orNone = (name: string, usual: string) => (env[name]?.trim() === 'none' ? undefined : readUrl(env, name, usual))
  return {
    github: {
      webUrl: readUrl(env, 'RELT_GITHUB_URL', 'https://github.com'),
      apiUrl: readUrl(env, 'RELT_GITHUB_API_URL', 'https://api.github.com'),
      token: readToken(env, 'RELT_GITHUB_TOKEN'),
    },
    githubHosts,
    registryMirrors,
    eolUrl: orNone('RELT_EOL_URL', 'https://endoflife.date'),
    osvUrl: orNone('RELT_OSV_URL', 'https://api.osv.dev'),
    exploitedUrl: orNone('RELT_KEV_URL', exploitedList),
    channelsUrl: orNone('RELT_CHANNELS_URL', 'https://raw.githubusercontent.com'),
    access: {
      allowedNets: readAllowedNets(env),
      trustedOrigins: trustedOrigins(env, [
        ...githubHosts.map((host) => `https://${host}`),
        ...Object.values(registryMirrors),
      ]),
    },
    syncHours: readHours(env, 'RELT_CATALOG_SYNC_HOURS'),
    pullUrl: env.RELT_CATALOG_URL?.trim() || undefined,
    publisher: readToken(env, 'RELT_CATALOG_KEY') ?? publisherKey,
  }
}

/**
 * `RELT_ALLOW_NETS`: networks that relt may connect to although they are not public, in CIDR notation. Throws `usage`.
 */
function readAllowedNets(env: Env) {
  const nets = (env.RELT_ALLOW_NETS ?? '').split(/[\s,]+/).filter((net) => net !== '')
  const broken = nets.find((net) => !isNetwork(net))
  if (broken === undefined) return nets
  throw new ReltError('usage', `RELT_ALLOW_NETS has a part that is not a network: ${broken}.`, {
    hint: 'Write networks in CIDR notation with commas between them: 10.0.0.0/8,fd00::/8',
  })
}

export function isNetwork(text: string) {
  const [address = '', length, ...more] = text.split('/')
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  if (bits === 0 || address.includes('%') || more.length > 0) return false
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits)
}

/** URLs set by the operator, unlike those of projects, may be at any address. */
function trustedOrigins(env: Env, more: string[]) {
  const hosts = ['GITHUB', 'GITHUB_API', 'OSV', 'EOL', 'KEV', 'CHANNELS']
  return [...hosts.map((host) => `RELT_${host}_URL`).map((name) => env[name] ?? ''), ...more].flatMap(
    (url) => URL.parse(url)?.origin ?? [],
  )
}

/** Undefined if not set. Throws `usage` for a token with characters that are invalid in a header. */
export function readToken(env: Env, name: string): string | undefined {
  const token = env[name]?.trim()
  if (!token) return undefined
  if (isToken(token)) return token
  throw new ReltError('usage', `${name} has characters that no token has.`)
}

/** Whether all characters are allowed in a header. */
export function isToken(text: string) {
  return /^[\x21-\x7e]+$/.test(text)
}

function readUrl(env: Env, name: string, usual: string) {
  const text = env[name]?.trim()
  if (!text) return usual
  const url = plainUrl(text)
  if (url !== undefined) return url
  throw new ReltError('usage', `${name} is not a web address.`, { hint: `Write it like ${usual}, without a password.` })
}

function plainUrl(text: string) {
  const url = URL.parse(text)
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash
  return isPlain ? url.href.replace(/(?<!\/)\/+$/, '') : undefined
}

/** Parses `docker.io=https://mirror.example, quay.io=…` */
function readMirrors(env: Env, name: string): Record<string, string> {
  const pairs = (env[name] ?? '').split(/[\s,]+/).filter((pair) => pair !== '')
  const mirrors = pairs.map((pair) => {
    const [host, ...rest] = pair.split('=')
    const url = plainUrl(rest.join('='))
    if (host && url !== undefined) return [host.toLowerCase(), url]
    throw new ReltError('usage', `${name} has a part that is not REGISTRY=URL.`, {
      hint: 'Write docker.io=https://mirror.example, without a password, and commas between several.',
    })
  })
  return Object.fromEntries(mirrors)
}

/** Timers are limited to 24 days. */
const maxHours = 500

function readHours(env: Env, name: string) {
  const text = env[name]?.trim()
  if (!text) return 0
  if (/^\d{1,3}$/.test(text) && Number(text) <= maxHours) return Number(text)
  throw new ReltError('usage', `${name} is not a number of hours: "${text}".`, {
    hint: `Write a whole number such as 6, at most ${maxHours}; 0 does not look for releases.`,
  })
}
