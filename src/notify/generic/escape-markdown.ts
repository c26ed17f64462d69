import { withoutMentions } from '../text.ts'

/** Foreign text for chats that read Markdown: no formatting, links, images or mentions come of it. */
export function escapeMarkdown(text: string): string {
  return withoutMentions(text)
    .replace(/[\\`*_{}[\]()<>#+!|~]/g, (sign) => `\\${sign}`)
    .replace(/:(?=\/\/)/g, ':\u2060')
}
