import type { IncomingMessage } from 'node:http'
import { ReltError } from '../../errors.ts'
import { isInNetworks, type Network, parseNetwork, refusedRange } from '../../util/address-range.ts'
import type { Logger } from '../../util/log.ts'

/** The proxies whose `X-Forwarded-*` headers are trusted: a number of hops before this process, or networks. */
export type TrustedProxies = { hops: number } | { networks: Network[] }

/** Parses the value of `--trust-proxy`; without a value it means one hop. Throws `usage`. */
export function readTrustedProxies(value: string | boolean | undefined): TrustedProxies | undefined {
  if (value === undefined || value === false) return undefined
  if (value === true) return { hops: 1 }
  if (/^[1-9]$/.test(value)) return { hops: Number(value) }
  try {
    return { networks: value.split(',').map((each) => parseNetwork(each.trim())) }
  } catch (cause) {
    throw new ReltError('usage', `--trust-proxy: ${(cause as Error).message}.`, {
      hint: 'Use a number of hops from 1 to 9, or networks such as 10.0.0.0/8,fd00::/8.',
      cause,
    })
  }
}

/** Warns, once per reason, about requests that contradict the trusted proxies. */
export function createProxyWatch(
  trusted: TrustedProxies | undefined,
  logger: Logger,
): (incoming: IncomingMessage | undefined) => void {
  const warned = new Set<string>()
  return (incoming) => {
    if (!incoming) return
    const reason = toMisfit(incoming, trusted)
    if (reason === undefined || warned.has(reason)) return
    warned.add(reason)
    logger.warn({ peer: incoming.socket.remoteAddress }, reason)
  }
}

function toMisfit(incoming: IncomingMessage, trusted: TrustedProxies | undefined): string | undefined {
  const { headers, socket } = incoming
  const peer = socket.remoteAddress
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  if (!trusted) {
    return isForwarded ? 'a proxy forwards requests, but --trust-proxy is not set: its callers count as one' : undefined
  }
  if (peer === undefined) return undefined
  if ('networks' in trusted) {
    const isKnown = isInNetworks(peer, trusted.networks)
    return isForwarded && !isKnown ? 'a forwarded header from an address outside --trust-proxy is ignored' : undefined
  }
  if (refusedRange(peer) === undefined) {
    return 'a public address connects directly: name the proxies with --trust-proxy <networks>, or anyone can forge addresses'
  }
  const isApi = incoming.url?.startsWith('/api/') === true
  return isApi && !isForwarded
    ? 'a request came without X-Forwarded-For: is the server reachable around its proxy?'
    : undefined
}
