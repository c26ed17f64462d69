import { toContent } from '../../content.ts'
import { fit } from '../../fit.ts'
import type { Message } from '../../message.ts'
import { type Format, json } from '../format.ts'
import { time, webhookEvent } from './body.ts'

/** Standard Webhooks recommends less than 20 kB. */
const maxBytes = 20_000
const reservedBytes = 3000

export const standard: Format = {
  name: 'standard',
  title: 'Standard Webhooks',
  secondsBetween: 0,
  render: (message) => json(toBody(message)),
}

/** Body of the webhook, the same for all attempts. */
function toBody(message: Message) {
  const { type, at, events, digest, links } = message
  const { title, command } = toContent(message)
  const { parts, left } = fit(events, webhookEvent, {
    maxItems: 100,
    maxSize: maxBytes - reservedBytes,
    toSize: (event) => Buffer.byteLength(JSON.stringify(event)) + 1,
  })
  return {
    version: 1,
    type,
    timestamp: time(at),
    data: {
      title,
      events: parts,
      /** Number of events that did not fit; `command` shows all. */
      more_events: left,
      command,
      digest: digest
        ? { period: digest.period, from: time(digest.from), to: time(digest.to), time_zone: digest.timeZone }
        : null,
      links: { page: links.page, settings: links.settings },
    },
  }
}
