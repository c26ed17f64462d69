import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { toJSONSchema } from 'zod/mini'
import { channelTable } from '../../src/contract/channel-table.ts'
import {
  channelNames,
  channelSecret,
  channels,
  conceal,
  eachWebhook,
  webhookChannels,
  webhookFields,
} from '../../src/contract/channels.ts'
import { type Route, type RouteName, routes } from '../../src/contract/routes.ts'
import { Dashboard, Subscription, SubscriptionSettings } from '../../src/contract/subscription.ts'
import { loadDelivery } from '../../src/notify/index.ts'

test('lists every registered channel by its title, under its own name', () => {
  expect(channelNames).toEqual(expect.arrayContaining(['email', 'slack', 'teams', 'generic']))
  expect(channels.map(({ title }) => title)).toEqual(channels.map(({ title }) => title).sort())
  for (const [name, channel] of Object.entries(channelTable)) expect(channel.name).toBe(name)
})

test('has a folder with a delivery for every channel', async () => {
  const folders = globSync('*/deliver.ts', { cwd: fileURLToPath(new URL('../../src/notify', import.meta.url)) }).map(
    dirname,
  )
  expect(folders.sort()).toEqual(Object.keys(channelTable).sort())
  const render: unknown = expect.any(Function)
  const deliveries = await Promise.all(channelNames.map(loadDelivery))
  expect(deliveries).toEqual(channelNames.map(() => expect.objectContaining({ render, send: render })))
})

test.each(channels)('$name can be an option and a field', ({ name, field, title }) => {
  expect(name).toMatch(/^[a-z]+$/)
  expect(field).toMatch(/^[a-z]+(_webhook)?$/)
  expect(title).toMatch(/^\S.*\S$/)
  expect(channels.filter((other) => other.field === field || other.title === title)).toHaveLength(1)
})

test.each(webhookChannels)('$field is on the wire, going in and coming out', ({ field }) => {
  for (const shape of [Subscription, Dashboard, SubscriptionSettings]) expect(shape.shape).toHaveProperty(field)
  expect(SubscriptionSettings.shape[field].safeParse('https://hooks.example/a').success).toBe(true)
  expect(SubscriptionSettings.shape[field].safeParse('ftp://hooks.example/a').success).toBe(false)
})

test.each([
  ['teams_webhook', 'https://contoso.webhook.office.com/webhookb2/a@b/IncomingWebhook/c/d', 'retired'],
  ['generic_webhook', 'https://events.pagerduty.com/v2/enqueue', 'integration key'],
] as const)('%s refuses %s and says why', (field, address, reason) => {
  const { success, error } = SubscriptionSettings.shape[field].safeParse(address)
  expect([success, error?.issues[0]?.message]).toEqual([false, expect.stringContaining(reason)])
})

test('shows addresses shortened, whatever the channel', () => {
  const shown = channels.map((channel) => {
    const address = channel.shape === 'email' ? 'ada@example.com' : 'https://hooks.example/services/T0/B0'
    return [channel.shape, String(channelSecret(channel, address))]
  })
  expect(new Set(shown.map(([, text]) => text))).toEqual(
    new Set(['a…@example.com', 'https://hooks.example/services/…']),
  )
})

test('conceals every webhook of an answer, the older name included; an empty one is none', () => {
  const address = 'https://hooks.example/services/T0/B0'
  const answer = { ...eachWebhook(() => address), webhook_url: address, name: 'x', description: address }
  const concealed = conceal(answer)
  for (const field of [...webhookFields, 'webhook_url'] as const) expect(concealed[field]?.reveal()).toBe(address)
  expect(JSON.parse(JSON.stringify(concealed))).toEqual({
    ...eachWebhook(() => 'https://hooks.example/services/…'),
    webhook_url: 'https://hooks.example/services/…',
    name: 'x',
    description: address,
  })
  expect(conceal({ slack_webhook: '', teams_webhook: null })).toEqual({ slack_webhook: null, teams_webhook: null })
})

test('every route whose answer has a webhook says that it holds secrets', () => {
  const holding = (Object.keys(routes) as RouteName[]).filter((name) => {
    const schema = JSON.stringify(toJSONSchema(routes[name].answer, { unrepresentable: 'any', io: 'output' }))
    return [...webhookFields, 'webhook_url'].some((field) => schema.includes(`"${field}"`))
  })
  expect(holding.sort()).toEqual(
    (Object.keys(routes) as RouteName[]).filter((name) => (routes[name] as Route).secrets).sort(),
  )
  expect(holding).toContain('getDashboard')
})
