/** Limit for reading a release's notes. */
const mostRead = 500_000

/** The non-empty lines of release notes in HTML or Markdown; tags and link URLs are kept. */
export function noteLines(notes: string) {
  return notes
    .slice(0, mostRead)
    .replace(/<(?:br|hr|li|ul|ol|p|div|tr|table|h[1-6]|blockquote|pre)\b[^<>]{0,500}>/gi, '\n')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** The plain text of a line: without tags, basic entities decoded, and without Markdown marks. */
export function plainLine(line: string) {
  return line
    .replace(/<[^<>]{0,2000}>/g, '')
    .replace(/\[([^\][]{1,300})\]\([^()\s]{1,2000}\)/g, '$1')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')
    .replace(/^[\s#>*+-]+/, '')
    .replace(/[*`_]{1,3}(?=\S)|(?<=\S)[*`_]{1,3}/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
