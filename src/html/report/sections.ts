import { html, type Markup } from '../../render/html/markup.ts'
import { type DocumentOptions, renderPage } from '../page.ts'
import { section } from '../pages/words.ts'

export type Sections<Report> = [id: string, title: string, render: (report: Report) => Markup][]

/** A report on one page. `head`: the content above the table of contents. */
export function renderReport<Report>(
  sections: Sections<Report>,
  report: Report,
  { head, ...page }: { head: Markup } & Omit<DocumentOptions, 'body'>,
) {
  const body = html`<a class="skip" href="#content">Skip to the report</a>
<header>
${head}
<nav aria-label="Contents"><ul>${sections.map(([id, words]) => html`<li><a href="#${id}">${words}</a></li>`)}</ul></nav>
</header>
<main id="content">
${sections.map(([id, words, render]) => section(id, words, render(report)))}</main>
<footer>Times are in UTC. A part without facts says why.</footer>`
  return renderPage({ ...page, body })
}
