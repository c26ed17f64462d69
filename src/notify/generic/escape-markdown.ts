import { withoutMentions } from '../text.ts'

/** Escapes foreign text for chats with Markdown: no formatting, links, images or mentions. */
export function escapeMarkdown(text: string) {
  return withoutMentions(text)
    .replace(/[\\`*_{}[\]()<>#+!|~]/g, (sign) => `\\${sign}`)
    .replace(/:(?=\/\/)/g, ':\u2060')
}
