import type { Content, ContentItem } from '../content.ts'
import { fitContent } from '../fit.ts'
import type { Message } from '../message.ts'
import { cleanUrl } from '../text.ts'

/** Adaptive Cards 1.4: https://adaptivecards.io/explorer. Teams accepts 28 kB per message. */
const maxBytes = 25_000
const maxItems = 40
/** Bytes for everything except the items. */
const reservedBytes = 5000

type Element = Record<string, unknown>

const colors = { danger: 'Attention', warning: 'Warning', good: 'Good', neutral: 'Default' } as const

/** Body for the Workflows template "Post to a channel when a webhook request is received". */
export function renderTeams(message: Message): Record<string, unknown> {
  const contentType = 'application/vnd.microsoft.card.adaptive'
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content: renderCard(message) }] }
}

/** Body for workflows that accept the card itself. */
export function renderCard(message: Message): Record<string, unknown> {
  const { parts, more, isSingle, hasCommand, ...content } = fitContent(message, itemElements, {
    maxItems,
    maxSize: maxBytes - reservedBytes,
    toSize: (elements) => Buffer.byteLength(JSON.stringify(elements)),
  })
  const command = run(content.command, { fontType: 'Monospace', isSubtle: true })
  const actions = [
    openUrl('Open in relt', content.link),
    ...(isSingle ? [openUrl('Release notes', content.items[0]!.url)] : []),
    openUrl('Notification settings', cleanUrl(message.links.settings)),
  ].filter((action) => action !== undefined)
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: content.title,
    msteams: { width: 'Full' },
    body: [
      line([run(content.title, { weight: 'Bolder', size: 'Large', color: colors[content.tone] })]),
      ...parts.flat(),
      ...(hasCommand ? [line([...(more === '' ? [] : [run(more)]), command], { spacing: 'Medium' })] : []),
    ],
    ...(actions.length > 0 && { actions }),
  }
}

function itemElements({ title, url, tone, facts, lines, excerpt }: ContentItem, isSingle: boolean): Element[] {
  const titled = isSingle ? [] : [line([titleRun(title, url, tone)], { spacing: 'Medium', separator: true })]
  return [
    ...titled,
    ...facts.map(({ name, value }) => line([run(`${name}: `, { weight: 'Bolder' }), run(value)], { spacing: 'Small' })),
    ...lines.map((text) => line([run(`\u2022 ${text}`)], { spacing: 'Small' })),
    ...(excerpt === null ? [] : [line([run(excerpt, { isSubtle: true })], { spacing: 'Small' })]),
  ]
}

function titleRun(title: string, url: string | null, tone: Content['tone']) {
  const selectAction = openUrl(title, url)
  return run(title, { weight: 'Bolder', color: colors[tone], ...(selectAction && { selectAction }) })
}

/** Unlike text blocks and facts, text runs are not parsed as Markdown. */
const run = (text: string, style: Element = {}): Element => ({ type: 'TextRun', text, ...style })
const line = (inlines: Element[], layout: Element = {}): Element => ({ type: 'RichTextBlock', inlines, ...layout })

function openUrl(title: string, url: string | null): Element | undefined {
  return url === null ? undefined : { type: 'Action.OpenUrl', title, url }
}
