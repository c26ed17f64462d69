import { shortUrl } from '../../../util/short-address.ts'

const names = ['slack_webhook', 'teams_webhook', 'generic_webhook', 'webhook_url'] as const

/** Shortens webhook addresses in text and data, because anyone who reads one can post there. */
export function withShortWebhooks<T extends object>(thing: T): T {
  const short = names.flatMap((name) => {
    const url = (thing as Partial<Record<string, unknown>>)[name]
    return typeof url === 'string' && url !== '' ? [[name, shortUrl(url)]] : []
  })
  return { ...thing, ...Object.fromEntries(short) }
}
