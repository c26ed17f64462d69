import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import { type ServeOptions, startServer } from '../../src/server/serve.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { now } from '../operations/service.ts'
import { basic, Lines } from './http.ts'

/** A server on a port of its own, with its first admin. */
export async function openServer(options: Partial<ServeOptions> = {}, env: Record<string, string> = {}) {
  const log = new Lines()
  const told: { url?: string; admin?: { login: string; password: string } } = {}
  const place = { RELT_HOME: temporaryFolder(), RELT_KEYCHAIN: 'off' }
  const noLimits = { RELT_RATE_LIMIT_USER: '0', RELT_RATE_LIMIT_ADDRESS: '0' }
  const server = await startServer(
    {
      host: '127.0.0.1',
      port: 0,
      logLevel: 'info',
      onListening: (url) => Object.assign(told, { url }),
      onFirstAdmin: (admin) => void Object.assign(told, { admin }),
      ...options,
    },
    {
      env: { ...place, RELT_OSV_URL: 'none', RELT_KEV_URL: 'none', RELT_CHANNELS_URL: 'none', ...noLimits, ...env },
      stderr: log,
      now: () => now,
    },
  )
  let stopped: Promise<void> | undefined
  const stop = (patienceMs = 1000) => {
    stopped ??= server.stop(patienceMs)
    return stopped
  }
  onTestFinished(() => stop(0))
  const { admin } = told
  const authorization = admin ? basic(admin.login, admin.password) : ''
  return { url: server.url, port: server.port, stop, log, told, headers: { authorization } }
}

interface Exchange {
  /** What comes back until the server ends the connection, or for so long. */
  patienceMs?: number
  /** Ends our side after sending; else it stays open. */
  end?: boolean
  /** In pieces of so many bytes, one after the other. */
  pieces?: number
}

/** Bytes as they are over a connection of their own. */
export function exchange(port: number, bytes: Uint8Array | string, options: Exchange = {}): Promise<string> {
  const { patienceMs = 20_000, end = true, pieces } = options
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const chunks: Buffer[] = []
  const finish = () => {
    clearTimeout(timer)
    socket.destroy()
    resolve(Buffer.concat(chunks).toString('latin1'))
  }
  const timer = setTimeout(finish, patienceMs)
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', finish).on('end', finish).on('close', finish)
  socket.on('connect', async () => {
    const all = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes)
    const size = pieces ?? (all.length || 1)
    for (let at = 0; at < all.length && socket.writable; at += size) {
      socket.write(all.subarray(at, at + size))
      if (pieces) await new Promise((next) => setTimeout(next, 1))
    }
    if (end && socket.writable) socket.end()
  })
  return promise
}

/** Waits until the server ends a connection whose answers are not read. */
export async function closesUnread(port: number, requests: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  socket.pause()
  socket.write(requests)
  // Without reading, only a failing write shows that the other side is gone.
  const probe = setInterval(() => socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'), 1000)
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(probe)
}
