import type { Server } from 'node:http'
import type { Env } from '../../config/env.ts'
import { isInNetworks } from '../../util/address-range.ts'
import { readWholeNumber } from './rate-limit.ts'
import type { TrustedProxies } from './trusted-proxies.ts'

export interface ConnectionLimits {
  total: number
  perAddress: number
}

/** `RELT_MAX_CONNECTIONS` and `RELT_MAX_CONNECTIONS_PER_ADDRESS`. Throws `usage`. */
export function readConnectionLimits(env: Env): ConnectionLimits {
  return {
    total: readWholeNumber(env, 'RELT_MAX_CONNECTIONS', 4096),
    perAddress: readWholeNumber(env, 'RELT_MAX_CONNECTIONS_PER_ADDRESS', 1024),
  }
}

/** Closes connections beyond the limits immediately; 0 is no limit. Trusted proxies are only subject to the total limit. */
export function limitConnections(
  server: Server,
  { total, perAddress }: ConnectionLimits,
  trusted: TrustedProxies | undefined,
) {
  if (total > 0) server.maxConnections = total
  if (perAddress === 0 || (trusted && 'hops' in trusted)) return
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const { remoteAddress: address } = socket
    if (address === undefined || (trusted && isInNetworks(address, trusted.networks))) return
    const count = (open.get(address) ?? 0) + 1
    if (count > perAddress) {
      socket.destroy()
      return
    }
    open.set(address, count)
    socket.once('close', () => {
      const left = open.get(address)! - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
}
