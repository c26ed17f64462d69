/** More of a release's notes is not read for what it says of security. */
const mostRead = 500_000

/** The lines of release notes, HTML or Markdown, that say something; tags and links' addresses stay readable. */
export function noteLines(notes: string): string[] {
  return notes
    .slice(0, mostRead)
    .replace(/<(?:br|hr|li|ul|ol|p|div|tr|table|h[1-6]|blockquote|pre)\b[^<>]{0,500}>/gi, '\n')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** As people read it: no tags, entities of the five signs, and marks of Markdown gone. */
export function plainLine(line: string): string {
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
