import type { ContentItem } from '../content.ts'
import { fitContent } from '../fit.ts'
import type { Message } from '../message.ts'
import { clean, cleanUrl, cut } from '../text.ts'

/** Block Kit: https://docs.slack.dev/reference/block-kit/blocks. Slack's own limits are slightly higher. */
const limits = { blocks: 48, section: 2900, header: 150, all: 12_000 }
/** Reserved for the header, the summary of omitted items, and the links. */
const reserved = { blocks: 4, size: 3500 }

type Block = Record<string, unknown>

export interface SlackMessage {
  /** Shown in system notifications. */
  text: string
  blocks: Block[]
}

export function renderSlack(message: Message): SlackMessage {
  const { parts, more, command, hasCommand, ...content } = fitContent(message, toSection, {
    maxItems: limits.blocks - reserved.blocks,
    maxSize: limits.all - reserved.size,
    toSize: (section) => section.length,
  })
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: cut(content.title, limits.header), emoji: false } },
    ...parts.filter((text) => text !== '').map((text): Block => ({ type: 'section', text: markup(text) })),
  ]
  if (hasCommand) blocks.push(context(`${more}\`${command}\``))
  const links = [link(content.link, 'Open in relt'), link(cleanUrl(message.links.settings), 'Notification settings')]
  const shown = links.filter((each) => each !== undefined)
  if (shown.length > 0) blocks.push(context(shown.join(' \u00b7 ')))
  return { text: escapeText(content.title), blocks }
}

/** A single item has its title in the header. */
function toSection({ title, url, facts, lines, excerpt, tone }: ContentItem, isSingle: boolean) {
  const heading = isSingle ? (link(url, 'Release notes') ?? '') : `*${link(url, title) ?? escapeText(title)}*`
  const sign = tone === 'danger' && !isSingle ? ':rotating_light: ' : ''
  const rows = [
    heading === '' ? '' : sign + heading,
    ...facts.map(({ name, value }) => `*${name}:* ${escapeText(value)}`),
    ...lines.map((line) =>
      isSingle && facts.length === 0 && lines.length === 1 ? escapeText(line) : `\u2022 ${escapeText(line)}`,
    ),
    excerpt === null ? '' : `>${escapeText(excerpt)}`,
  ]
  return cutMarkup(rows.filter((row) => row !== '').join('\n'), limits.section)
}

/** `verbatim`: Slack does not convert text to links, channels or mentions. */
const markup = (text: string) => ({ type: 'mrkdwn', text, verbatim: true })
const context = (text: string): Block => ({ type: 'context', elements: [markup(text)] })

function link(url: string | null, label: string) {
  return url === null ? undefined : `<${url.replaceAll('&', '&amp;')}|${escapeText(clean(label, 140))}>`
}

function escapeText(text: string) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Truncates, but not within an escape sequence. */
function cutMarkup(text: string, max: number) {
  return text.length <= max
    ? text
    : `${cut(text, max)
        .slice(0, -1)
        .replace(/&[a-z]{0,3}$/, '')}…`
}
