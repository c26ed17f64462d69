import { Secret } from '../util/secret.ts'
import { shortEmail, shortUrl } from '../util/short-address.ts'
import { type AddressShape, type Channel, channelTable } from './channel-table.ts'

/** Facts about channels, without zod, so that help and completion stay fast. */

type TableRow = (typeof channelTable)[keyof typeof channelTable]
export type ChannelName = TableRow['name']

/** A channel with a secret address, which accounts and subscriptions can set. */
export type WebhookChannel = Extract<TableRow, { isSecret: true }>
export type WebhookName = WebhookChannel['name']
/** `slack_webhook` in the API and in files; with a hyphen as an option. */
export type WebhookField = WebhookChannel['field']

/** Sorted by title. */
export const channels: readonly TableRow[] = Object.values<TableRow>(channelTable).sort((one, other) =>
  one.title < other.title ? -1 : 1,
)
export const channelNames: readonly ChannelName[] = channels.map(({ name }) => name)
export const webhookChannels: readonly WebhookChannel[] = channels.filter((channel) => channel.isSecret)
export const webhookFields: readonly WebhookField[] = webhookChannels.map(({ field }) => field)

/** Object with a value for each webhook, keyed by field. */
export function eachWebhook<T>(make: (channel: WebhookChannel) => T) {
  return Object.fromEntries(webhookChannels.map((channel) => [channel.field, make(channel)])) as Record<WebhookField, T>
}

const shorten: Record<AddressShape, (address: string) => string> = { email: shortEmail, https: shortUrl }

/** A channel's address as a secret, of which only a short form is displayed. */
export function channelSecret({ shape }: Channel, address: string) {
  return new Secret(address, shorten[shape])
}

/** The type with each webhook replaced by a `Secret`; an empty address is removed. */
export type Concealed<T> = { [K in keyof T]: K extends WebhookField | 'webhook_url' ? Secret | null : T[K] }

/** Clients apply it to answers, so that no caller prints an address by mistake. */
export function conceal<T extends object>(thing: T) {
  const generic: Channel = channelTable.generic
  const concealed = { ...thing } as Record<string, unknown>
  for (const channel of [...webhookChannels, { ...generic, field: 'webhook_url' }]) {
    const address = concealed[channel.field]
    if (typeof address === 'string') concealed[channel.field] = address ? channelSecret(channel, address) : null
  }
  return concealed as Concealed<T>
}
