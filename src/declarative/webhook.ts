import { channelSecret, type WebhookChannel } from '../contract/channels.ts'
import { addressShape } from '../contract/subscription.ts'
import type { Secret } from '../util/secret.ts'

/** Names of variables → values. */
export type WebhookVariables = Record<string, string | undefined>

/** A webhook as a file wants it. */
export interface WantedWebhook {
  shown: string
  /** Null: there is to be none. Undefined when the variable that holds it is not set. */
  address: Secret | null | undefined
  /** Name of the variable that holds it. */
  variable: string | undefined
}

export function resolveWebhook(channel: WebhookChannel, text: string, variables: WebhookVariables): WantedWebhook {
  const variable = /^env:(.*)$/.exec(text)?.[1]
  const address = variable === undefined ? text : variables[variable] || undefined
  const secret = address ? channelSecret(channel, address) : address === undefined ? undefined : null
  return { shown: variable === undefined ? showWebhook(secret) : text, address: secret, variable }
}

/** Whether the variable holds a valid webhook. */
export function isUsable(channel: WebhookChannel, { address }: WantedWebhook): boolean {
  return !!address && addressShape(channel).safeParse(address.reveal()).success
}

export function showWebhook(address: Secret | null | undefined): string {
  return address ? String(address) : 'none'
}

/** A service may answer with the address shortened: then that is all there is to compare. */
export function isSameWebhook(stored: Secret | null, wanted: Secret | null): boolean {
  if (!stored || !wanted) return stored === wanted
  return [wanted.reveal(), String(wanted)].includes(stored.reveal())
}
