import { BlockList, isIP } from 'node:net'

export interface Proxies {
  http: string | undefined
  https: string | undefined
  /** Hosts that are reached directly, as `NO_PROXY` names them. */
  none: string | undefined
}

/** Proxies of the environment, as curl reads them. */
export function proxiesFor(env: Record<string, string | undefined>): Proxies {
  const proxy = (name: string) => env[name.toLowerCase()] || env[name] || undefined
  return { http: proxy('HTTP_PROXY'), https: proxy('HTTPS_PROXY'), none: proxy('NO_PROXY') }
}

/** URL of the proxy for an address; undefined if it is reached directly. */
export function proxyFor({ http, https, none = '' }: Proxies, { protocol, hostname, port }: URL): string | undefined {
  const isSecure = protocol === 'https:'
  const proxy = isSecure ? https : http
  const place = { host: hostname.replace(/^\[|[\].]$/g, ''), port: port || (isSecure ? '443' : '80') }
  if (proxy === undefined || none.split(/[\s,]+/).some((entry) => excludes(entry.toLowerCase(), place)))
    return undefined
  return proxy.includes('://') ? proxy : `http://${proxy}`
}

/** An entry is a network, an address, or the name of a host and of all below it, maybe with a port. `*` is any host. */
function excludes(entry: string, { host, port }: { host: string; port: string }) {
  const [address = '', prefix] = entry.split('/')
  if (isIP(address)) return isIn(host, address, prefix)
  const [, name, only = port] = /^\[?(?:\*?\.)?([^[\]]*?)\]?(?::(\d+))?$/.exec(entry) ?? []
  return entry === '*' || (!!name && only === port && (host === name || host.endsWith(`.${name}`)))
}

function isIn(host: string, address: string, prefix: string | undefined) {
  const longest = isIP(address) === 4 ? 32 : 128
  const length = Number(prefix ?? longest)
  if (!isIP(host) || !(length >= 0 && length <= longest)) return false
  const network = new BlockList()
  network.addSubnet(address, length, familyOf(address))
  return network.check(host, familyOf(host))
}

const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6')
