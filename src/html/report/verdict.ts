import { findingSeverities } from '../../contract/choices.ts'
import type { PolicyVerdict } from '../../contract/gate-verdict.ts'
import { drawColumns, drawSaid, drawVerdict } from '../../render/html/draw.ts'
import { clean, command, html, name, time } from '../../render/html/markup.ts'
import { table } from '../../render/html/table.ts'
import { scannedAt } from '../../reports/run-subject.ts'
import { usedExceptionColumns } from '../../views/exception.ts'
import { judgedRun, policyTone, ruleColumns, viewRecordedGate } from '../../views/gate.ts'
import { scannerWord } from '../../views/run.ts'
import { runFigures } from '../../views/run-figures.ts'
import { countUnlisted } from '../../views/run-gaps.ts'
import { safe, say } from '../../views/said.ts'
import type { Figure } from '../../views/view.ts'
import { shareBar } from '../chart.ts'
import { figureCard } from '../pages/words.ts'
import { type RunReport, redactedInk } from './report.ts'
import { missingText } from './words.ts'

/** Name of the cluster, the verdict, and the figures. */
export function renderVerdict(report: RunReport) {
  const { run } = report
  const facts = [run.kubernetes_version && `Kubernetes ${run.kubernetes_version}`, run.provider, run.region]
  const more = facts.filter(Boolean).join(', ')
  return html`<h1>${name(run.cluster_name ?? 'Unknown cluster')} <small>${name(run.environment ?? 'unknown environment')}</small></h1>
<p class="soft">Scanned ${time(scannedAt(run))} by ${clean(scannerWord(run.format), 50)}${more && html`. ${clean(more)}`}</p>
${gateBanner(report)}
<ul class="cards">
${runFigures(report).map((figure) => toCard(figure, report))}</ul>`
}

function gateBanner({ gate, run, findings, madeAt }: RunReport) {
  if (!gate.found) return html`<div class="verdict"><strong>Not judged</strong>${clean(gate.missing, 600)}</div>`
  const view = viewRecordedGate(gate.found, judgedRun(run, madeAt), {
    now: madeAt,
    unlisted: findings.found ? countUnlisted(findings.found) : null,
  })
  return drawVerdict({ ...view, gaps: [...view.gaps, say`Judged ${{ ...safe(gate.found.at), as: 'time' }}`] })
}

/** Findings are also shown as a bar; checks that did not run have a section of their own. */
function toCard(figure: Figure, { run: { findings }, redactor }: RunReport) {
  const { key, data } = figure
  const before =
    key === 'findings' && findings && shareBar(findingSeverities.map((kind) => ({ kind, count: findings[kind] })))
  return figureCard(figure, redactedInk(redactor), {
    before,
    after: key === 'not_run' && !!data && html`. <a href="#gaps">Which</a>`,
  })
}

/** The recorded verdicts, rule by rule, with the exceptions that were used. */
export function renderGate({ gate, run, isQueued }: RunReport) {
  if (!gate.found) {
    return html`${missingText(gate.missing)}${run.run_id !== '' && !isQueued && html`<p>Judge it: ${command(`relt gate check ${run.run_id}`)}</p>`}`
  }
  const { policies } = gate.found
  if (!policies || policies.length === 0) return missingText('The server does not list the rules.')
  return html`${policies.map(renderPolicy)}`
}

function renderPolicy(recorded: PolicyVerdict) {
  const { verdict, policy, rules, exceptions, at, by } = recorded
  return html`<h3>${name(policy.name)}: ${drawSaid([safe(verdict, policyTone(recorded))])}</h3>
<p class="note">Recorded by ${name(by)} ${time(at)}${policy.digest && html`. Policy ${policy.digest.slice(0, 12)}`}</p>
${table(drawColumns(ruleColumns), rules, { caption: 'Rules' })}
${
  exceptions.length === 0
    ? html`<p class="note">No exception was used.</p>`
    : table(drawColumns(usedExceptionColumns), exceptions, { caption: 'Exceptions that were used' })
}`
}
