import dns from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isInNetworks, type Network, parseNetwork, refusedHost, refusedRange } from './address-range.ts'

export interface HttpAccess {
  /** Networks that are open although they are not public, in CIDR notation. */
  allowedNets: readonly string[]
  /** Origins that the operator named: they may be anywhere. */
  trustedOrigins: readonly string[]
  /** Hosts that the operator named, with or without a port: they may be anywhere. */
  trustedHosts?: readonly string[]
  /** Plain http only to trusted hosts and to literal addresses in allowed networks. */
  httpsOnly?: boolean
  /** The setting that opens more, for error messages. */
  setting?: string
}

/** Decides which addresses that a project, an image, a user or a redirect named may be reached. */
export interface HttpGuard {
  /**
   * Resolves the host of the URL for the connection to it, and refuses addresses that are not public. Undefined for a
   * trusted origin. Throws `ADDRESS_REFUSED` for a URL that is refused without resolving its host.
   */
  lookupFor(url: URL): LookupFunction | undefined
}

/** Throws an `Error` for a network that is not in CIDR notation. */
export function createHttpGuard(access: HttpAccess): HttpGuard {
  const allowed = access.allowedNets.map(parseNetwork)
  const origins = new Set(access.trustedOrigins)
  const hosts = new Set(access.trustedHosts?.map((host) => host.toLowerCase()))
  const hint = `: ${access.setting ?? 'RELT_ALLOW_NETS'} can allow it`
  return {
    lookupFor(url) {
      if (!/^https?:$/.test(url.protocol)) throw refused(`${url.protocol} is not a scheme of the web`)
      if (url.username !== '' || url.password !== '') throw refused(`the address at ${url.host} has credentials in it`)
      const hostname = url.hostname.replace(/\.$/, '')
      if (origins.has(url.origin) || hosts.has(hostname) || hosts.has(url.host)) return undefined
      const range = refusedHost(url, allowed)
      if (range !== undefined) throw refused(`${url.hostname} is ${range}${hint}`)
      if (access.httpsOnly && url.protocol !== 'https:' && !isInNetworks(bareHost(url), allowed)) {
        throw refused(`${url.host} is not reached by https${hint}`)
      }
      return pinnedLookup(allowed, hint)
    },
  }
}

/** Whether an entry of the setting opens the host, or the literal address, of a URL. */
export function isNamedByOperator(
  url: URL,
  { hosts, nets }: { hosts: readonly string[]; nets: readonly string[] },
): boolean {
  const hostname = url.hostname.replace(/\.$/, '')
  return hosts.includes(hostname) || hosts.includes(url.host) || isInNetworks(bareHost(url), nets.map(parseNetwork))
}

const bareHost = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

/** The addresses that were checked are those that get the connection: a second lookup could say something else. */
function pinnedLookup(allowed: readonly Network[], hint: string): LookupFunction {
  return (hostname, options, callback) => {
    // Looked up by name, so that tests can stand in for the resolver.
    dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      for (const { address } of addresses) {
        const range = refusedRange(address, allowed)
        if (range !== undefined) return callback(refused(`${hostname} resolves to ${address}, ${range}${hint}`), [])
      }
      const [first] = addresses
      if (options.all || !first) return callback(null, addresses)
      callback(null, first.address, first.family)
    })
  }
}

function refused(why: string): NodeJS.ErrnoException {
  return Object.assign(new Error(why), { code: 'ADDRESS_REFUSED' })
}
