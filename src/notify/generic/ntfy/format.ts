import type { ContentItem } from '../../content.ts'
import { fitContent } from '../../fit.ts'
import { cut } from '../../text.ts'
import { type Format, json } from '../format.ts'

/** https://docs.ntfy.sh/publish/#publish-as-json: longer messages become attachments. */
const limits = { messageBytes: 4000, title: 250 }

const priorities = { danger: 5, warning: 4, good: 3, neutral: 3 }
const tags = { danger: 'rotating_light', warning: 'warning', good: 'white_check_mark', neutral: 'package' }

export const ntfy: Format = {
  name: 'ntfy',
  title: 'ntfy',
  isAt: ({ hostname }) => hostname === 'ntfy.sh',
  secondsBetween: 1,
  render(message, url) {
    const { title, tone, items, link, parts, more, command, hasCommand } = fitContent(message, toText, {
      maxItems: Number.POSITIVE_INFINITY,
      maxSize: limits.messageBytes - 200,
      toSize: (text) => Buffer.byteLength(text) + 2,
    })
    const rows = [...parts.map((text) => cutBytes(text, limits.messageBytes - 400)), hasCommand ? more + command : '']
    const [base, topic] = placeFor(url)
    const click = link ?? items[0]?.url ?? null
    const body = {
      topic,
      title: cut(title, limits.title),
      message: rows.filter((row) => row !== '').join('\n\n'),
      priority: priorities[tone],
      tags: [tags[tone]],
      ...(click !== null && { click }),
    }
    return { ...json(body), ...(base !== undefined && { url: base }) }
  },
}

/** The last part of the path is the topic. JSON is posted to the server's root, so that no text becomes a header. */
function placeFor(url: URL | undefined): [base: string | undefined, topic: string] {
  if (!url) return [undefined, 'relt']
  const parts = url.pathname.split('/').filter((part) => part !== '')
  const topic = decodeURIComponent(parts.pop() ?? '')
  const base = new URL(url)
  base.pathname = `/${parts.join('/')}`
  base.hash = ''
  return [base.href, topic]
}

const toText = ({ title, facts, lines, excerpt }: ContentItem, isSingle: boolean) =>
  [
    ...(isSingle ? [] : [title]),
    ...facts.map(({ name, value }) => `${name}: ${value}`),
    ...lines,
    ...(excerpt === null ? [] : [excerpt]),
  ].join('\n')

function cutBytes(text: string, max: number) {
  let shown = text
  while (Buffer.byteLength(shown) > max) shown = cut(shown, Math.floor(shown.length * 0.8))
  return shown
}
