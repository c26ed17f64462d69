import { html, type Markup } from '../../render/html/markup.ts'
import { renderPage } from '../page.ts'
import { section } from '../pages/words.ts'

export type Sections<Report> = [id: string, title: string, render: (report: Report) => Markup][]

interface Cover {
  /** Of the document. */
  title: string
  /** Above the contents. */
  head: Markup
  /** Names the file beside the report that has the styles. */
  stylesheet: string | undefined
}

/** A report on one page. */
export function renderReport<Report>(
  sections: Sections<Report>,
  report: Report,
  { title, head, stylesheet }: Cover,
): string {
  const body = html`<a class="skip" href="#content">Skip to the report</a>
<header>
${head}
<nav aria-label="Contents"><ul>${sections.map(([id, words]) => html`<li><a href="#${id}">${words}</a></li>`)}</ul></nav>
</header>
<main id="content">
${sections.map(([id, words, render]) => section(id, words, render(report)))}</main>
<footer>Times are in UTC. A part without facts says why.</footer>`
  return renderPage({ title, body, stylesheet })
}
