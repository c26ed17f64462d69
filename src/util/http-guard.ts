import dns from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isInNetworks, type Network, parseNetwork, refusedHost, refusedRange } from './address-range.ts'

export interface HttpAccess {
  /** Networks that are allowed although they are not public, in CIDR notation. */
  allowedNets: readonly string[]
  /** Origins that the operator set: they may be at any address. */
  trustedOrigins: readonly string[]
  /** Hosts that the operator set, with or without a port: they may be at any address. */
  trustedHosts?: readonly string[]
  /** Plain http only to trusted hosts and to literal addresses in allowed networks. */
  httpsOnly?: boolean
  /** The setting that allows more, for error messages. */
  setting?: string
}

/** Decides which URLs from projects, images, users or redirects may be accessed. */
export interface HttpGuard {
  /**
   * Returns a resolver for the connection to the URL, which rejects non-public addresses. Undefined for a trusted origin.
   * Throws `ADDRESS_REFUSED` for a URL that is rejected without resolving its host.
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

/** Whether an entry of the setting allows the host, or the literal address, of a URL. */
export function isNamedByOperator(url: URL, { hosts, nets }: { hosts: readonly string[]; nets: readonly string[] }) {
  const hostname = url.hostname.replace(/\.$/, '')
  return hosts.includes(hostname) || hosts.includes(url.host) || isInNetworks(bareHost(url), nets.map(parseNetwork))
}

const bareHost = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

/** Connects to the same addresses that were checked: a second lookup could return others. */
function pinnedLookup(allowed: readonly Network[], hint: string): LookupFunction {
  return (hostname, options, callback) => {
    // Called as a property, so that tests can replace the resolver.
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
