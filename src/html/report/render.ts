import { clean } from '../../render/html/markup.ts'
import { renderChanges } from './changes.ts'
import { renderFindings, renderFixes } from './findings.ts'
import { renderFreshness, renderSupport } from './freshness.ts'
import { renderGaps } from './gaps.ts'
import { renderOrigin } from './origin.ts'
import type { RunReport } from './report.ts'
import { renderRiskPaths } from './risk-paths.ts'
import { renderReport, type Sections } from './sections.ts'
import { renderTrends } from './trends.ts'
import { renderUpgrade } from './upgrade.ts'
import { renderGate, renderVerdict } from './verdict.ts'

const sections: Sections<RunReport> = [
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
export function renderRunReport(report: RunReport, stylesheet?: string) {
  const { run } = report
  const title = `${clean(run.cluster_name ?? 'Unknown cluster', 100)} (${clean(run.environment ?? '-', 50)}): cluster report`
  return renderReport(sections, report, { title, head: renderVerdict(report), stylesheet })
}
