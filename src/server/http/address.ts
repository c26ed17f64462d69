import type { IncomingMessage } from 'node:http'
import { isIP, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { isInNetworks } from '../../util/address-range.ts'
import { remember } from '../../util/remember.ts'
import type { TrustedProxies } from './trusted-proxies.ts'

/** Key for rate limits: an IPv4 address, or the /64 network of an IPv6 address, which has 2^64 addresses. */
export function callerAddress(incoming: IncomingMessage | undefined, trusted?: TrustedProxies) {
  return networkFor(callerIp(incoming, trusted))
}

/** The peer's IP address, or behind trusted proxies the address that the outermost proxy saw. `unknown` without a socket. */
export function callerIp(incoming: IncomingMessage | undefined, trusted?: TrustedProxies) {
  const peer = (incoming && peerIp(incoming.socket)) ?? 'unknown'
  if (!incoming || !trusted) return peer
  const named = toList(incoming, 'x-forwarded-for')
  let caller = peer
  for (let hop = 1; hop <= trustedHops(incoming, trusted); hop++) {
    const ip = readForwardedFor(named.at(-hop))
    if (ip === undefined) break
    caller = ip
  }
  return caller
}

const peers = new WeakMap<Socket, string | undefined>()

/** Cached per connection, which has many requests. */
const peerIp = (socket: Socket) => remember(peers, socket, () => plainIp(socket.remoteAddress))

/** Whether the client's connection to this server, or to the outermost trusted proxy, uses TLS. */
export function isSecure(incoming: IncomingMessage | undefined, trusted?: TrustedProxies) {
  if ((incoming?.socket as TLSSocket | undefined)?.encrypted) return true
  return forwarded(incoming, 'x-forwarded-proto', trusted) === 'https'
}

/** The origin in the request, also behind trusted proxies. Undefined if the request has no valid host. */
export function askedOrigin(
  url: string,
  incoming: IncomingMessage | undefined,
  trusted?: TrustedProxies,
): string | undefined {
  const host = forwarded(incoming, 'x-forwarded-host', trusted) || URL.parse(url)?.host
  if (!host || !/^[\w.:[\]-]+$/.test(host)) return undefined
  return URL.parse(`${isSecure(incoming, trusted) ? 'https' : 'http'}://${host}`)?.origin
}

/** Number of hops before this process that are trusted proxies. */
function trustedHops(incoming: IncomingMessage, trusted: TrustedProxies) {
  if ('hops' in trusted) return trusted.hops
  const chain = [...toList(incoming, 'x-forwarded-for'), incoming.socket.remoteAddress]
  let hops = 0
  for (const address of chain.reverse()) {
    const ip = hops === 0 ? plainIp(address) : readForwardedFor(address)
    if (ip === undefined || !isInNetworks(ip, trusted.networks)) break
    hops++
  }
  return hops
}

/** The header's value from the outermost trusted proxy; proxies replace the header or append to it. */
function forwarded(
  incoming: IncomingMessage | undefined,
  name: 'x-forwarded-proto' | 'x-forwarded-host',
  trusted: TrustedProxies | undefined,
) {
  if (!incoming || !trusted || incoming.headers[name] === undefined) return undefined
  const values = toList(incoming, name)
  const hops = Math.min(trustedHops(incoming, trusted), values.length)
  return hops === 0 ? undefined : values.at(-hops)
}

function toList({ headers }: IncomingMessage, name: string) {
  const header = headers[name]
  if (header === undefined) return []
  return [header].flat().flatMap((line) => line.split(',').map((value) => value.trim()))
}

/** Parses one entry of `X-Forwarded-For`; some proxies add the port: `192.0.2.1:50123`, `[2001:db8::1]:443`. */
function readForwardedFor(entry: string | undefined) {
  if (entry === undefined) return undefined
  const [, v6, v4] = /^(?:\[([^\]]+)\]|(\d+(?:\.\d+){3}))(?::\d{1,5})?$/.exec(entry) ?? []
  return plainIp(v6 ?? v4 ?? entry)
}

/** Removes the zone, and converts mapped IPv4. Undefined if it is not an address. */
function plainIp(text: string | undefined) {
  if (text === undefined || isIP(text) === 0) return undefined
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1] ?? text.replace(/%.*$/, '')
}

function networkFor(address: string) {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
