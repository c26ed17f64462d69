import { clean, html, type Markup } from '../../render/html/markup.ts'
import { renderPage } from '../page.ts'
import { renderChanges } from './changes.ts'
import { renderFindings, renderFixes } from './findings.ts'
import { renderFreshness, renderSupport } from './freshness.ts'
import { renderGaps } from './gaps.ts'
import { renderOrigin } from './origin.ts'
import type { RunReport } from './report.ts'
import { renderRiskPaths } from './risk-paths.ts'
import { renderTrends } from './trends.ts'
import { renderUpgrade } from './upgrade.ts'
import { renderGate, renderVerdict } from './verdict.ts'

const sections: [id: string, title: string, render: (report: RunReport) => Markup][] = [
  ['gaps', 'What is not known', renderGaps],
  ['gate', 'Gate', renderGate],
  ['changes', 'What changed', renderChanges],
  ['fixes', 'Top fixes', renderFixes],
  ['freshness', 'What runs, and how far behind it is', renderFreshness],
  ['support', 'Ends of support', renderSupport],
  ['upgrade', 'Upgrade of Kubernetes', renderUpgrade],
  ['risk-paths', 'Risk paths', renderRiskPaths],
  ['trends', 'Trends', renderTrends],
  ['findings', 'Findings by check', renderFindings],
  ['origin', 'How this report was made', renderOrigin],
]

/** The report as a document; `stylesheet` names a separate stylesheet. */
export function renderRunReport(report: RunReport, stylesheet?: string): string {
  const { run } = report
  const body = html`<a class="skip" href="#content">Skip to the report</a>
<header>
${renderVerdict(report)}
<nav aria-label="Contents"><ul>${sections.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
</header>
<main id="content">
${sections.map(
  ([id, title, render]) => html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${render(report)}
</section>
`,
)}</main>
<footer>Times are in UTC. A part without facts says why.</footer>`
  const title = `${clean(run.cluster_name ?? 'Unknown cluster', 100)} (${clean(run.environment ?? '-', 50)}): cluster report`
  return renderPage({ title, body, stylesheet })
}
