import { WebhookUrl } from '../contract/subscription.ts'
import { shortUrl } from '../util/short-address.ts'

export const webhookNames = ['slack_webhook', 'teams_webhook', 'generic_webhook'] as const

/** Names of variables → values. */
export type Variables = Record<string, string | undefined>

/** A webhook as a file wants it: a secret, of which only `shown` may be seen. */
export interface WantedWebhook {
  shown: string
  /** Undefined when the variable that holds it is not set. */
  address: string | undefined
  /** Of the variable that holds it. */
  variable: string | undefined
}

export function resolveWebhook(text: string, variables: Variables): WantedWebhook {
  const variable = /^env:(.*)$/.exec(text)?.[1]
  if (variable === undefined) return { shown: showWebhook(text), address: text, variable }
  return { shown: text, address: variables[variable] || undefined, variable }
}

/** Whether the variable holds what can be a webhook. */
export function isUsable({ address }: WantedWebhook): boolean {
  return address !== undefined && WebhookUrl.safeParse(address).success
}

export function showWebhook(address: string | null | undefined): string {
  return address ? shortUrl(address) : 'none'
}

/** A service may answer with the address shortened: then that is all there is to compare. */
export function isSameWebhook(stored: string | null, address: string): boolean {
  return (stored ?? '') === address || (stored !== null && stored === shortUrl(address))
}
