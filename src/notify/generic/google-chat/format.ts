import type { ContentItem } from '../../content.ts'
import { fitContent } from '../../fit.ts'
import { gone, outcomeFor } from '../../outcome.ts'
import { cut, escapeHtml, withoutMentions } from '../../text.ts'
import { type Format, json } from '../format.ts'

/** https://developers.google.com/workspace/chat/api/reference/rest/v1/cards: 32 kB per message, 100 widgets per card. */
const limits = { bytes: 30_000, widgets: 90, text: 4000 }

export const googleChat: Format = {
  name: 'google-chat',
  title: 'Google Chat',
  isAt: ({ hostname }) => hostname === 'chat.googleapis.com',
  // The limit is one message per second to a space.
  secondsBetween: 1,
  render(message) {
    const { parts, more, command, hasCommand, ...content } = fitContent(message, toText, {
      maxItems: limits.widgets - 3,
      maxSize: limits.bytes - 5000,
      toSize: (text) => Buffer.byteLength(JSON.stringify(text)) + 40,
    })
    const widgets = [
      ...parts.filter((text) => text !== '').map(paragraph),
      ...(hasCommand ? [paragraph(`${more}<i>${escapeHtml(command)}</i>`)] : []),
      ...(content.link === null
        ? []
        : [{ buttonList: { buttons: [{ text: 'Open in relt', onClick: { openLink: { url: content.link } } }] } }]),
    ]
    const header = { title: withoutMentions(content.title) }
    return json({
      cardsV2: [{ cardId: message.id, card: { header, ...(widgets.length > 0 && { sections: [{ widgets }] }) } }],
    })
  },
  outcomeFor: (result) => (result.status === 404 ? gone('the webhook is gone', result) : outcomeFor(result)),
}

const paragraph = (text: string) => ({ textParagraph: { text } })
const escaped = (text: string) => escapeHtml(withoutMentions(text))

function toText({ title, url, facts, lines, excerpt }: ContentItem, isSingle: boolean) {
  const linked = (text: string) => (url === null ? text : `<a href="${escapeHtml(url)}">${text}</a>`)
  const heading = isSingle ? (url === null ? '' : linked('Release notes')) : `<b>${linked(escaped(title))}</b>`
  const rows = [
    heading,
    ...facts.map(({ name, value }) => `<b>${name}:</b> ${escaped(value)}`),
    ...lines.map((line) => `\u2022 ${escaped(line)}`),
    excerpt === null ? '' : escaped(cut(excerpt, 400)),
  ]
  const shown: string[] = []
  let size = 0
  for (const row of rows.filter((each) => each !== '')) {
    size += row.length + 4
    if (size > limits.text) break
    shown.push(row)
  }
  return shown.join('<br>')
}
