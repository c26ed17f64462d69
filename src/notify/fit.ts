import { andMore } from '../util/words.ts'
import { type ContentItem, toContent } from './content.ts'
import type { Message } from './message.ts'

interface Limits<T> {
  maxItems: number
  maxSize: number
  toSize: (part: T) => number
}

/**
 * Renders items in order, as long as they fit; `left` is the number of others. The first one is truncated by its renderer
 * and always fits.
 */
export function fit<I, T>(items: readonly I[], render: (item: I) => T, { maxItems, maxSize, toSize }: Limits<T>) {
  const parts: T[] = []
  let size = 0
  for (const item of items) {
    if (parts.length === maxItems) break
    const part = render(item)
    size += toSize(part)
    if (size > maxSize && parts.length > 0) break
    parts.push(part)
  }
  return { parts, left: items.length - parts.length }
}

/** The content of a message with its items rendered. `more`: the number of items that did not fit, before the command. */
export function fitContent<T>(
  message: Message,
  render: (item: ContentItem, isSingle: boolean) => T,
  limits: Limits<T>,
) {
  const content = toContent(message)
  const isSingle = content.items.length === 1
  const { parts, left } = fit(content.items, (item) => render(item, isSingle), limits)
  const more = left > 0 ? `${andMore(left)}: ` : ''
  return { ...content, isSingle, parts, left, more, hasCommand: message.type !== 'test' }
}
