import { expect, test } from 'vitest'
import { channelsFor, deliveryRemarks } from '../../../../src/cli/commands/subs/channels.ts'
import { channelTable } from '../../../../src/contract/channel-table.ts'
import { channelSecret, eachWebhook } from '../../../../src/contract/channels.ts'
import type { ReceivedSubscription } from '../../../../src/contract/received/subscription.ts'

const hook = channelSecret(channelTable.generic, 'https://hooks.example/services/T0')
const nothing = { user_email: null, delivers_notifications: undefined, ...eachWebhook(() => null) }
const subscription = (more: Partial<ReceivedSubscription> = {}) =>
  ({
    ...eachWebhook(() => null),
    email_enabled: true,
    email_frequency: 'per_app',
    use_global_webhooks: true,
    notifications_paused: false,
    ...more,
  }) as ReceivedSubscription

test.each([
  ['no address', {}, nothing, []],
  ['an address', {}, { ...nothing, user_email: 'a@example.com' }, ['email']],
  ['a digest', { email_frequency: 'weekly' as const }, { ...nothing, user_email: 'a@b' }, ['weekly email']],
  ['email that is off', { email_enabled: false }, { ...nothing, user_email: 'a@b' }, []],
  ['own webhooks', { slack_webhook: hook, generic_webhook: hook }, nothing, ['slack', 'webhook']],
  ["the account's webhook", {}, { ...nothing, teams_webhook: hook }, ['teams of the account']],
  ["the account's webhooks that are left out", { use_global_webhooks: false }, { ...nothing, teams_webhook: hook }, []],
  [
    'an own webhook before that of the account',
    { slack_webhook: hook },
    { ...nothing, slack_webhook: hook },
    ['slack'],
  ],
])('lists the channels of a subscription with %s', (_, settings, account, channels) => {
  expect(channelsFor(subscription(settings), account)).toEqual(channels)
})

test('warns of subscriptions that notify nobody, paused ones apart', () => {
  const texts = (all: ReceivedSubscription[], account: object = {}) =>
    deliveryRemarks(all, { ...nothing, ...account }).map(({ text }) => text)
  expect(texts([])).toEqual([])
  expect(texts([subscription({ slack_webhook: hook }), subscription({ notifications_paused: true })])).toEqual([])
  expect(texts([subscription(), subscription({ slack_webhook: hook })])[0]).toMatch(/^1 subscription without a channel/)
})

test('warns where the server sends nothing, and trusts one that does not say', () => {
  const one = [subscription({ slack_webhook: hook })]
  const queued = 'Notifications are queued and not sent: delivery is not set up on this server.'
  expect(deliveryRemarks(one, { ...nothing, delivers_notifications: false })).toEqual([
    { text: queued, isWarning: true, isAlone: true },
  ])
  expect(deliveryRemarks(one, { ...nothing, delivers_notifications: true })).toEqual([])
  expect(deliveryRemarks(one, nothing)).toEqual([])
})
