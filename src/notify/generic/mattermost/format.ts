import type { ContentItem } from '../../content.ts'
import { fitContent } from '../../fit.ts'
import type { Message } from '../../message.ts'
import { cut } from '../../text.ts'
import { escapeMarkdown } from '../escape-markdown.ts'
import { type Format, json } from '../format.ts'

/** Mattermost splits longer messages; Rocket.Chat rejects more than 5,000 characters by default. */
const maxText = 3900

export const mattermost: Format = { name: 'mattermost', title: 'Mattermost', secondsBetween: 1, render }
/** Rocket.Chat accepts the same body. */
export const rocketChat: Format = { name: 'rocketchat', title: 'Rocket.Chat', secondsBetween: 1, render }

function render(message: Message) {
  const { parts, more, command, hasCommand, ...content } = fitContent(message, toText, {
    maxItems: 20,
    maxSize: maxText - 1200,
    toSize: (text) => text.length + 2,
  })
  const end = hasCommand ? [`${more}\`${command}\``] : []
  const link = content.link === null ? [] : [`[Open in relt](${content.link})`]
  return json({
    text: [`**${escapeMarkdown(content.title)}**`, ...parts.filter((part) => part !== ''), ...end, ...link].join(
      '\n\n',
    ),
  })
}

function toText({ title, url, facts, lines, excerpt }: ContentItem, isSingle: boolean) {
  const linked = url === null ? escapeMarkdown(title) : `[${escapeMarkdown(title)}](${url})`
  const heading = isSingle ? (url === null ? [] : [`[Release notes](${url})`]) : [`**${linked}**`]
  const rows = [
    ...facts.map(({ name, value }) => `**${name}:** ${escapeMarkdown(value)}`),
    ...lines.map((line) => `- ${escapeMarkdown(line)}`),
    ...(excerpt === null ? [] : [`> ${escapeMarkdown(excerpt)}`]),
  ]
  // Truncates only the text after the link.
  return [...heading, cut(rows.join('\n'), isSingle ? maxText - 2500 : 700)].filter((row) => row !== '').join('\n')
}
