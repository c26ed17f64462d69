import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { TLSSocket } from 'node:tls'

/**
 * Who calls: the socket's address, or behind a trusted proxy the last hop that it names. One household has 2^64
 * addresses of IPv6, so of these only the network counts.
 */
export function callerAddress(incoming: IncomingMessage | undefined, trustProxy: boolean): string {
  const named = trustProxy ? lastOf(incoming?.headers['x-forwarded-for']) : undefined
  const address = named !== undefined && isIP(named) ? named : incoming?.socket.remoteAddress
  return address === undefined ? 'unknown' : networkOf(address)
}

/** The caller's way to us, or to the trusted proxy, is TLS. */
export function isSecure(incoming: IncomingMessage | undefined, trustProxy: boolean): boolean {
  if ((incoming?.socket as TLSSocket | undefined)?.encrypted) return true
  return trustProxy && lastOf(incoming?.headers['x-forwarded-proto']) === 'https'
}

/** The origin that the caller asked, in front of a trusted proxy too. Undefined when the request names no usable host. */
export function askedOrigin(
  url: string,
  incoming: IncomingMessage | undefined,
  trustProxy: boolean,
): string | undefined {
  const forwarded = trustProxy ? lastOf(incoming?.headers['x-forwarded-host']) : undefined
  const host = forwarded || URL.parse(url)?.host
  if (!host || !/^[\w.:[\]-]+$/.test(host)) return undefined
  return URL.parse(`${isSecure(incoming, trustProxy) ? 'https' : 'http'}://${host}`)?.origin
}

function lastOf(header: string | string[] | undefined): string | undefined {
  return [header].flat().at(-1)?.split(',').at(-1)?.trim()
}

function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (v4) return v4
  const [head = '', tail] = address.replace(/%.*$/, '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
