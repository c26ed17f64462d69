import { html, type Markup } from '../../render/html/markup.ts'
import { renderPage } from '../page.ts'
import { section } from '../pages/words.ts'

export type Sections<Report> = [id: string, title: string, render: (report: Report) => Markup][]

interface Cover {
  /** Title of the document. */
  title: string
  /** Content above the table of contents. */
  head: Markup
  /** Name of a separate stylesheet, if the report is not self-contained. */
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
