import { convert, type Options } from 'html-to-text'
import { plainLines } from './io.ts'

/** Longer notes are truncated. */
const maxLength = 100_000

const options: Options = {
  wordwrap: false,
  limits: { maxDepth: 40, maxChildNodes: 5000, maxBaseElements: 10, ellipsis: '…' },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false, linkBrackets: ['(', ')'] } },
    { selector: 'img', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'ul', options: { itemPrefix: '- ' } },
    // The library's table layout would allocate memory as `colspan` says.
    { selector: 'table', format: 'block' },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ...['td', 'th'].map((selector) => ({ selector, format: 'inlineSurround', options: { suffix: '  ' } })),
  ],
}

/** Converts HTML or Markdown to plain text: no tags, comments or control characters. Markdown is not converted. */
export function readable(notes: string) {
  const cut = notes.length > maxLength ? `${notes.slice(0, maxLength)}…` : notes
  const text = htmlTag.test(cut) ? convert(cut, options) : cut.replace(/<!--[\s\S]*?(?:-->|$)/g, '')
  return (
    plainLines(text.replace(/\t/g, '  '))
      // Matches only from the first space: from each of them would take quadratic time.
      .replace(/(?<! ) +$/gm, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  )
}

const htmlTag = /<\/?(?:p|h[1-6]|ul|ol|li|br|div|pre|code|table|strong|em|a|blockquote)(?:\s[^>]{0,500})?\/?>/i
