import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { openAdmin } from '../../src/admin/admin.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { createKey } from '../helpers/create-key.ts'
import { now } from '../operations/service.ts'
import { basic } from './http.ts'
import { openServer } from './socket.ts'

async function openMailbox() {
  const mails: Email[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, _session, then) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        mails.push(await PostalMime.parse(Buffer.concat(chunks)))
        then()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { mails, port: (server.server.address() as AddressInfo).port }
}

test('a server mails a release to a subscriber, once, and answers a test after it was sent', async () => {
  const folder = temporaryFolder()
  const { mails, port } = await openMailbox()
  const env = { RELT_KEYCHAIN: 'off', RELT_SMTP_URL: `smtp://127.0.0.1:${port}`, RELT_SMTP_FROM: 'relt@relt.example' }
  const { url, headers, stop } = await openServer({ data: folder }, { ...env, RELT_SMTP_RATE: '100' })
  const store = { env, now: () => now, folder }
  const admin = await openAdmin(store)
  onTestFinished(() => admin.close())
  await admin.addUser({ login: 'ada', plan: 'pro', role: 'user', email: 'ada@example.com' })
  const password = await createKey(store, 'ada')
  const call = async (method: string, path: string, body: unknown, authorization = basic('ada', password)) => {
    const init = { method, headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) }
    return (await (await fetch(`${url}/api/relt/v1${path}`, init)).json()) as Record<string, unknown>
  }

  expect(await call('POST', '/test-notification', {})).toEqual({
    success: true,
    results: [{ channel: 'email', delivered: true, http_status: null, error: null }],
  })
  expect(mails.map(({ to }) => to?.[0]?.address)).toEqual(['ada@example.com'])

  await call('POST', '/toggle-sub', { product_id: 1 })
  await call('POST', '/add-release', { product_id: 1, type: 'app', version: 'v99.0.0' }, headers.authorization)
  await expect.poll(() => mails.length).toBe(2)
  expect(mails[1]!.subject).toContain('v99.0.0')
  await stop(5000)
  expect(mails).toHaveLength(2)
})
