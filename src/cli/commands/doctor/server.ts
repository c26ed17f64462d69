import type { Exchange } from '../../../client/exchange.ts'
import { connectionOptions, credentialsFor } from '../../../client/server-options.ts'
import { selectServer } from '../../../config/select-server.ts'
import { errorTable, ReltError } from '../../../errors.ts'
import { version } from '../../../version.ts'
import type { DoctorCheck, Line } from './line.ts'

const timeoutMs = 8_000
const muchSkew = 60

/** Checks the selected server, if any: reachability, credentials, version and clock. */
export const checkServer: DoctorCheck = async ({ context, flags, config }) => {
  const { env } = context
  if (!config) return []
  const server = (await context.server()) && selectServer(flags, env, config)
  if (!server) return [{ check: 'server', state: 'ok', found: 'none: commands use the store on this machine' }]
  const { createRemoteClient } = await import('../../../client/remote.ts')
  let last: Exchange | undefined
  const client = createRemoteClient({
    ...connectionOptions(server, env, config.settings),
    credentials: () => credentialsFor(server, env),
    timeoutMs,
    onExchange: (exchange) => {
      last = exchange
    },
  })
  try {
    await client.request({ method: 'GET', path: '/dashboard' })
    return [
      { check: 'server', state: 'ok', found: `${server.url} responds and accepts the credentials` },
      ...aboutServer(last, context.now()),
    ]
  } catch (error) {
    if (!(error instanceof ReltError)) throw error
    const { message, hint, code } = error
    const passing = errorTable[code].exit === errorTable.unreachable.exit
    const line: Line = { check: 'server', state: 'fail', found: `${server.url}: ${message}`, hint }
    return [{ ...line, ...(passing && { passing }) }, ...aboutServer(last, context.now())]
  } finally {
    await client.close()
  }
}

function aboutServer(exchange: Exchange | undefined, now: number): Line[] {
  return [...aboutVersion(exchange?.version), ...aboutClock(exchange?.date, now)]
}

function aboutVersion(theirs: string | undefined): Line[] {
  if (theirs === undefined) return []
  const check = 'server version'
  if (theirs === version) return [{ check, state: 'ok', found: `${theirs}, same as relt here` }]
  const hint = 'Use the same version on both sides.'
  return [{ check, state: 'warn', found: `${theirs}, but relt here is ${version}`, hint }]
}

function aboutClock(date: string | undefined, now: number): Line[] {
  const theirs = Date.parse(date ?? '') / 1000
  if (Number.isNaN(theirs)) return []
  const skew = Math.round(Math.abs(now - theirs))
  const check = 'clock'
  if (skew <= muchSkew) return [{ check, state: 'ok', found: 'matches the clock of the server' }]
  const hint = 'Synchronize the clock, for example by NTP.'
  return [{ check, state: 'warn', found: `${skew} seconds off from the server`, hint }]
}
