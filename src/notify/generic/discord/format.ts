import type { ContentItem } from '../../content.ts'
import { fitContent } from '../../fit.ts'
import { gone, outcomeFor } from '../../outcome.ts'
import { cut } from '../../text.ts'
import { escapeMarkdown } from '../escape-markdown.ts'
import { type Format, json } from '../format.ts'

/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
const limits = { title: 256, description: 4096, embeds: 10, all: 6000 }

const colors = { danger: 0xd1242f, warning: 0xbf8700, good: 0x1a7f37, neutral: 0x57606a }

export const discord: Format = {
  name: 'discord',
  title: 'Discord',
  isAt: ({ hostname, pathname }) =>
    /^(?:[a-z]+\.)?discord(?:app)?\.com$/.test(hostname) && pathname.startsWith('/api/webhooks/'),
  // The limit is five messages in two seconds per webhook.
  secondsBetween: 1,
  render(message) {
    const { parts, more, command, hasCommand, ...content } = fitContent(message, toEmbed, {
      maxItems: limits.embeds,
      maxSize: limits.all - 1000,
      toSize: ({ title, description = '' }) => title.length + description.length,
    })
    const title = escapeMarkdown(content.title)
    return json({
      content: hasCommand ? `${title}\n-# ${more}\`${command}\`` : title,
      embeds: parts,
      allowed_mentions: { parse: [] },
    })
  },
  outcomeFor: (result) => (result.status === 404 ? gone('the webhook is gone', result) : outcomeFor(result)),
}

function toEmbed({ title, url, tone, facts, lines, excerpt }: ContentItem, isSingle: boolean) {
  const rows = [
    ...facts.map(({ name, value }) => `**${name}:** ${escapeMarkdown(value)}`),
    ...lines.map((line) => `- ${escapeMarkdown(line)}`),
    ...(excerpt === null ? [] : [escapeMarkdown(excerpt)]),
  ]
  const description = cut(rows.join('\n'), isSingle ? limits.description : 600)
  return {
    title: cut(escapeMarkdown(title), limits.title),
    ...(url !== null && { url }),
    ...(description !== '' && { description }),
    color: colors[tone],
  }
}
