import { type WebhookField, webhookChannels } from '../contract/channels.ts'
import { type NotificationSettings, notificationSettingNames } from '../contract/notification-settings.ts'
import type { ReceivedSubscription } from '../contract/received/subscription.ts'
import type { WantedAccount, WantedSubscription } from '../contract/wanted-state.ts'
import type { FieldChange } from './action.ts'
import { isSameWebhook, resolveWebhook, showWebhook, type WebhookVariables } from './webhook.ts'

export const notKnown = 'not known'

/** Settings of a subscription besides its webhooks. */
export const plainNames = [
  'email_enabled',
  'email_frequency',
  'release_types_filter',
  'webhook_release_types',
  'use_global_webhooks',
  'notifications_paused',
] as const

/** Undefined means unknown: the setting is then written. */
type StoredSettings = Partial<Pick<ReceivedSubscription, (typeof plainNames)[number] | WebhookField>> & {
  [K in keyof NotificationSettings]?: NotificationSettings[K] | null | undefined
}

/**
 * The wanted settings of a subscription or account that differ from stored ones; `stored` is undefined for a new one. A
 * webhook whose variable is not set cannot be compared: a stored one stays.
 */
export function settingChanges(
  stored: StoredSettings | undefined,
  wanted: WantedAccount | WantedSubscription,
  variables: WebhookVariables,
) {
  const fields: FieldChange[] = []
  const settings: Record<string, unknown> = {}
  for (const name of [...plainNames, ...notificationSettingNames]) {
    const value = (wanted as Partial<WantedSubscription & WantedAccount>)[name]
    if (value === undefined || (stored && comparable(stored[name]) === comparable(value))) continue
    fields.push({ name, from: stored ? String(stored[name] ?? notKnown) : null, to: String(value) })
    settings[name] = value
  }
  for (const channel of webhookChannels) {
    const name = channel.field
    const text = wanted[name]
    if (text === undefined) continue
    const { address, shown } = resolveWebhook(channel, text, variables)
    const isUnknown = stored !== undefined && stored[name] === undefined
    const before = stored?.[name] ?? null
    if (address === undefined ? before !== null || isUnknown : !isUnknown && isSameWebhook(before, address)) continue
    fields.push({ name, from: stored ? (isUnknown ? notKnown : showWebhook(before)) : null, to: shown })
    settings[name] = address === undefined ? undefined : (address?.reveal() ?? '')
  }
  return { fields, settings }
}

/** The order of release types does not matter. */
function comparable(value: string | number | boolean | null | undefined): unknown {
  return typeof value === 'string' ? value.replaceAll(/\s/g, '').split(',').sort().join() : value
}
