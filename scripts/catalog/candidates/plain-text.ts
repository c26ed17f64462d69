/** Markdown, reStructuredText or AsciiDoc without its marks: paragraphs with their first line's number, from 1. */
export interface Paragraph {
  line: number
  /** 0: no heading. */
  level: number
  text: string
}

const underline = /^(=|-|~|\^|#|\*)\1{2,}\s*$/
const isOwnParagraph = /^\s*(?:#|=+ |[-*+] |\d+\. |\|)/

export function toParagraphs(text: string): Paragraph[] {
  const lines = blank(text, /<!--[\s\S]*?-->|^(```|~~~)[\s\S]*?^\1/gm).split(/\r?\n/)
  const paragraphs: Paragraph[] = []
  let open: Paragraph | undefined
  for (const [at, line] of lines.entries()) {
    const quoted = line.replace(/^[\s>]+/, '')
    if (underline.test(line) && open) {
      open.level = line[0] === '=' ? 1 : 2
      open = undefined
      continue
    }
    const [, marks] = /^(#{1,6}|={1,6}) /.exec(quoted) ?? []
    const plain = toPlain(quoted)
    if (plain === '') {
      // A quotation without words, or a picture, does not separate sentences.
      if (quoted === '') open = undefined
    } else if (open && open.level === 0 && !isOwnParagraph.test(quoted)) open.text += ` ${plain}`
    else {
      open = { line: at + 1, level: marks?.length ?? 0, text: plain }
      paragraphs.push(open)
      if (marks) open = undefined
    }
  }
  return paragraphs
}

export const sentencesOf = (text: string) => text.split(/(?<=[.!?])\s+(?=[^a-z])/)

/** The same number of lines. */
const blank = (text: string, pattern: RegExp) => text.replace(pattern, (match) => match.replace(/[^\n]/g, ''))

const toPlain = (line: string) =>
  line
    .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\][]*)\]\s?[([][^)\]]*[)\]]/g, '$1')
    .replace(/<[^>]*>/g, '')
    .replace(/:\w+:|[*~`#|]|__|\p{Extended_Pictographic}|️/gu, '')
    .replace(/^[\s=+-]+|[\s=]+$/g, '')
    .replace(/\s+/g, ' ')
