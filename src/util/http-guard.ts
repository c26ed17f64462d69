import dns from 'node:dns'
import type { LookupFunction } from 'node:net'
import { type Network, parseNetwork, refusedHost, refusedRange } from './address-range.ts'

export interface HttpAccess {
  /** Networks that are open although they are not public, in CIDR notation. */
  allowedNets: readonly string[]
  /** Origins that the operator named: they may be anywhere. */
  trustedOrigins: readonly string[]
}

/** Decides which addresses that a project, an image or a redirect named may be reached. */
export interface HttpGuard {
  /**
   * Resolves the host of the URL for the connection to it, and refuses addresses that are not public. Undefined for a
   * trusted origin. Throws `ADDRESS_REFUSED` for a URL that is refused without resolving its host.
   */
  lookupFor(url: URL): LookupFunction | undefined
}

/** Throws an `Error` for a network that is not in CIDR notation. */
export function createHttpGuard({ allowedNets, trustedOrigins }: HttpAccess): HttpGuard {
  const allowed = allowedNets.map(parseNetwork)
  const trusted = new Set(trustedOrigins)
  return {
    lookupFor(url) {
      if (!/^https?:$/.test(url.protocol)) throw refused(`${url.protocol} is not a scheme of the web`)
      if (url.username !== '' || url.password !== '') throw refused(`the address at ${url.host} has credentials in it`)
      if (trusted.has(url.origin)) return undefined
      const range = refusedHost(url, allowed)
      if (range !== undefined) throw refused(`${url.hostname} is ${range}${hint}`)
      return pinnedLookup(allowed)
    },
  }
}

/** The addresses that were checked are those that get the connection: a second lookup could say something else. */
function pinnedLookup(allowed: readonly Network[]): LookupFunction {
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

const hint = ': RELT_ALLOW_NETS can allow it'

function refused(why: string): NodeJS.ErrnoException {
  return Object.assign(new Error(why), { code: 'ADDRESS_REFUSED' })
}
