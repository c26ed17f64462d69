import { channelSecret, type WebhookChannel } from '../contract/channels.ts'
import { addressShape } from '../contract/subscription.ts'
import type { Secret } from '../util/secret.ts'

/** Variable name → value. */
export type WebhookVariables = Record<string, string | undefined>

/** A webhook in a file. */
export interface WantedWebhook {
  shown: string
  /** Null: no webhook. Undefined if its variable is not set. */
  address: Secret | null | undefined
  /** Name of the variable that contains it. */
  variable: string | undefined
}

export function resolveWebhook(channel: WebhookChannel, text: string, variables: WebhookVariables) {
  const variable = /^env:(.*)$/.exec(text)?.[1]
  const address = variable === undefined ? text : variables[variable] || undefined
  const secret = address ? channelSecret(channel, address) : address === undefined ? undefined : null
  return { shown: variable === undefined ? showWebhook(secret) : text, address: secret, variable }
}

/** Whether the variable contains a valid webhook. */
export function isUsable(channel: WebhookChannel, { address }: WantedWebhook) {
  return !!address && addressShape(channel).safeParse(address.reveal()).success
}

export function showWebhook(address: Secret | null | undefined) {
  return address ? String(address) : 'none'
}

/** A service may return a shortened address: then only that is compared. */
export function isSameWebhook(stored: Secret | null, wanted: Secret | null) {
  if (!stored || !wanted) return stored === wanted
  return [wanted.reveal(), String(wanted)].includes(stored.reveal())
}
