import { createHash } from 'node:crypto'
import { toContent } from '../../content.ts'
import type { Message } from '../../message.ts'
import { outcomeFor } from '../../outcome.ts'
import { cut } from '../../text.ts'
import { type Format, json, settingsFor } from '../format.ts'

/** https://developer.pagerduty.com/docs/events-api-v2-overview */
const limits = { summary: 1024, items: 50 }

const severities = { danger: 'critical', warning: 'warning', good: 'info', neutral: 'info' }

export const pagerDuty: Format = {
  name: 'pagerduty',
  title: 'PagerDuty',
  isAt: ({ hostname }) => /^events\.(?:eu\.)?pagerduty\.com$/.test(hostname),
  secondsBetween: 0,
  render(message, url) {
    const { title, tone, items, link, command } = toContent(message)
    const [first] = items
    const links = [
      ...(link === null ? [] : [{ href: link, text: 'Open in relt' }]),
      ...(first?.url ? [{ href: first.url, text: 'Release notes' }] : []),
    ]
    return json({
      routing_key: settingsFor(url).get('routing_key') ?? '',
      event_action: isResolved(message) ? 'resolve' : 'trigger',
      dedup_key: dedupKey(message),
      client: 'relt',
      payload: {
        summary: cut(title, limits.summary),
        source: 'relt',
        severity: severities[tone],
        timestamp: new Date(message.at * 1000).toISOString(),
        class: message.type,
        custom_details: {
          items: items.slice(0, limits.items).map(({ title, facts, lines, excerpt }) => ({
            title,
            ...Object.fromEntries(facts.map(({ name, value }) => [name.toLowerCase().replaceAll(' ', '_'), value])),
            ...(lines.length > 0 && { details: lines }),
            ...(excerpt !== null && { notes: excerpt }),
          })),
          more: Math.max(0, items.length - limits.items),
          command,
        },
      },
      ...(links.length > 0 && { links }),
    })
  },
  // 202: PagerDuty processes the event later.
  outcomeFor: (result) =>
    result.status === 202 ? { result: 'accepted', httpStatus: result.status } : outcomeFor(result),
}

const isResolved = ({ events }: Message) =>
  events.length === 1 && events[0]!.type === 'cluster.silent' && events[0]!.endedAt !== null

/** The end of a silence resolves the incident that its start opened. */
function dedupKey({ id, events }: Message) {
  const [event] = events
  if (events.length !== 1 || event?.type !== 'cluster.silent') return `relt/${id}`
  const cluster = createHash('sha256').update(`${event.cluster}\n${event.environment}`).digest('hex')
  return `relt/cluster.silent/${cluster}`
}
