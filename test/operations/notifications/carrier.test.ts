import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { readWebhookAllow } from '../../../src/config/delivery.ts'
import type { NotificationEvent } from '../../../src/notify/message.ts'
import { openCarrier } from '../../../src/operations/notifications/carrier.ts'
import { readUnsubscribeToken } from '../../../src/operations/notifications/unsubscribe.ts'
import { invoke } from '../../../src/service/invoke.ts'
import type { OutboxMessage } from '../../../src/store/notifications/delivery.ts'
import { openReceiver } from '../../notify/helpers/receiver.ts'
import { refusalFor } from '../../service/harness.ts'
import { openService } from '../service.ts'

async function openSender(env: Record<string, string>) {
  const { db, vault, user, plans } = await openService(':memory:')
  const service = { db, vault: async () => vault, plans, now: () => Math.floor(Date.now() / 1000) }
  const opened = (await openCarrier(env, service.now, service))!
  onTestFinished(() => opened.close())
  return { ...service, allowedWebhooks: readWebhookAllow(env), carrier: async () => opened, opened, user, keys: vault }
}

test('a test of an allowed webhook arrives, signed by the secret that the owner got', async () => {
  const receiver = await openReceiver((_, response) => response.writeHead(204).end())
  const sender = await openSender({ RELT_WEBHOOK_ALLOW: new URL(receiver.url).host, RELT_WEBHOOK_PROXY: 'none' })
  const { user } = sender
  await invoke(sender, 'updateAccountSettings', { user, body: { generic_webhook: `${receiver.url}/hook` } })
  const { secret } = await invoke(sender, 'rotateWebhookSecret', { user, body: {} })
  const { results } = await invoke(sender, 'testNotification', { user, body: { channel: 'generic' } })
  expect(results).toEqual([{ channel: 'generic', delivered: true, http_status: 204, error: null }])
  const [{ headers, body, url }] = receiver.requests as [(typeof receiver.requests)[0]]
  expect(url).toBe('/hook')
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ type: 'test' })
})

test.each(['http://chat.example/hooks/x', 'https://127.0.0.1/x', 'https://10.0.0.5:8443/x', 'http://localhost:9/x'])(
  '%s is refused when it is set, unless the operator allows its host',
  async (address) => {
    const { host } = new URL(address)
    const body = { slack_webhook: address }
    const closed = await openSender({})
    const { user } = closed
    expect(await refusalFor(invoke(closed, 'updateAccountSettings', { user, body }))).toContain('slack_webhook')
    const open = await openSender({ RELT_WEBHOOK_ALLOW: host })
    expect(await invoke(open, 'updateAccountSettings', { user: open.user, body })).toEqual({ success: true })
    const secret = { slack_webhook: address.replace('//', '//user:secret@') }
    expect(await refusalFor(invoke(open, 'updateAccountSettings', { user: open.user, body: secret }))).toContain(
      'slack',
    )
  },
)

test('mails link to the page that ends them, where the server has a public address', async () => {
  const mail = { RELT_SMTP_URL: 'smtp://127.0.0.1:9', RELT_SMTP_FROM: 'relt@relt.example' }
  const { opened, keys } = await openSender({ ...mail, RELT_PUBLIC_URL: 'https://relt.example/' })
  const outbox = { channel: 'email', kind: 'release', userId: 7, subscriptionId: 12, digest: null } as OutboxMessage
  const toScope = async (change: Partial<OutboxMessage>) => {
    const { unsubscribe } = await opened.toLinks({ ...outbox, ...change }, [])
    const [, token] = /^https:\/\/relt\.example\/unsubscribe\?token=(.*)$/.exec(unsubscribe ?? '') ?? []
    return token && readUnsubscribeToken(keys, token)
  }
  expect(await toScope({})).toEqual({ userId: 7, scope: 'subscription', subscriptionId: 12 })
  expect(await toScope({ subscriptionId: null })).toEqual({ userId: 7, scope: 'clusters' })
  const weekly = { period: 'weekly' } as OutboxMessage['digest']
  expect(await toScope({ digest: weekly, subscriptionId: null })).toEqual({ userId: 7, scope: 'weekly' })
  expect(await toScope({ kind: 'test' })).toBeUndefined()
  expect(await toScope({ channel: 'slack' })).toBeUndefined()
  const { opened: closed } = await openSender(mail)
  expect(await closed.toLinks(outbox, [])).toEqual({ page: null, settings: null, unsubscribe: null })
})

test('a message links to the page of what it reports, where the server has a public address and pages', async () => {
  const env = { RELT_PUBLIC_URL: 'https://relt.example/' }
  const outbox = { channel: 'slack', kind: 'release', userId: 7, digest: null } as OutboxMessage
  const base = { id: 'evt_1', at: 0 }
  const project = { id: 3, name: 'Argo CD' }
  const events = {
    '/projects/3': { ...base, type: 'release.security', project },
    '/runs/crun_a': { ...base, type: 'report.regressed', runId: 'crun_a' },
    '/exceptions/exc_a': { ...base, type: 'exception.expires', exceptionId: 'exc_a' },
    '/agents': { ...base, type: 'cluster.silent' },
    '/account': { ...base, type: 'test' },
  } as unknown as Record<string, NotificationEvent>
  const { opened } = await openSender(env)
  for (const [path, event] of Object.entries(events)) {
    const { page, settings } = await opened.toLinks(outbox, [event])
    expect([page, settings]).toEqual([`https://relt.example${path}`, 'https://relt.example/subscriptions'])
  }
  expect((await opened.toLinks(outbox, Object.values(events))).page).toBe('https://relt.example/subscriptions')
  const digest = { period: 'weekly' } as OutboxMessage['digest']
  expect((await opened.toLinks({ ...outbox, digest }, [])).page).toBe('https://relt.example/subscriptions')
  const { opened: bare } = await openSender({ ...env, RELT_UI: 'off' })
  expect((await bare.toLinks(outbox, Object.values(events))).page).toBeNull()
})
