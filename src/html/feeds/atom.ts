import { oneLine } from '../../ci/text.ts'
import { html, trusted } from '../../render/html/markup.ts'

export interface AtomEntry {
  /** Unique and stable, such as `urn:relt:run:crun_a`. */
  id: string
  title: string
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  at: string
  url: string
  summary: string
}

interface AtomFeed {
  id: string
  title: string
  /** Empty if there is none. */
  subtitle?: string
  /** URL of the page with the same content. */
  url: string
  /** Time of the last update if the feed is empty. */
  updated: string
  entries: AtomEntry[]
}

/** An Atom document (RFC 4287). Texts are plain text, so readers interpret no markup. */
export function renderAtom({ id, title, subtitle, url, updated, entries }: AtomFeed) {
  const newest = entries.reduce((latest, { at }) => (at > latest ? at : latest), entries[0]?.at ?? updated)
  return html`${trusted('<?xml version="1.0" encoding="utf-8"?>')}
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${id}</id>
<title>${oneLine(title)}</title>
${
  subtitle &&
  html`<subtitle>${oneLine(subtitle)}</subtitle>
`
}<updated>${instant(newest)}</updated>
<author><name>relt</name></author>
<link rel="alternate" href="${url}"/>
${entries.map(
  ({ id, title, at, url, summary }) => html`<entry>
<id>${id}</id>
<title>${oneLine(title)}</title>
<updated>${instant(at)}</updated>
<link rel="alternate" href="${url}"/>
<summary>${oneLine(summary)}</summary>
</entry>
`,
)}</feed>
`.toString()
}

const instant = (at: string) => `${at.replace(' ', 'T')}Z`
