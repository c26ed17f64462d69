import { findingSeverities } from '../../contract/choices.ts'
import type { PolicyVerdict } from '../../contract/gate-verdict.ts'
import { supportText } from '../../lifecycle/support-text.ts'
import { drawColumns, drawSaid, drawVerdict } from '../../render/html/draw.ts'
import { clean, command, dated, day, html, type Markup, name, time } from '../../render/html/markup.ts'
import { table } from '../../render/html/table.ts'
import { count, number, signed } from '../../util/words.ts'
import { changesOf } from '../../views/comparison.ts'
import { usedExceptionColumns } from '../../views/exception.ts'
import { freshnessFigures, hasOnlyKubernetes, kubernetesAlone } from '../../views/freshness.ts'
import { judgedRun, policyTone, ruleColumns, viewRecordedGate } from '../../views/gate.ts'
import { checksNotRun } from '../../views/not-run.ts'
import { joined, safe, say, toned } from '../../views/said.ts'
import { scannedAt } from '../../views/scan.ts'
import { coverSameChecks, gapsText, hasGaps, markedScore, scoreTone } from '../../views/score.ts'
import { supportTone } from '../../views/support.ts'
import { shareBar } from '../chart.ts'
import { countUnlisted, type RunReport } from './report.ts'
import { missingText } from './words.ts'

/** Name of the cluster, the verdict, and the figures. */
export function renderVerdict(report: RunReport): Markup {
  const { run } = report
  const facts = [run.kubernetes_version && `Kubernetes ${run.kubernetes_version}`, run.provider, run.region]
  const more = facts.filter(Boolean).join(', ')
  return html`<h1>${name(run.cluster_name ?? 'Unknown cluster')} <small>${name(run.environment ?? 'unknown environment')}</small></h1>
<p class="soft">Scanned ${time(scannedAt(run))} by ${clean(run.format ?? 'an unknown scanner', 50)}${more && html`. ${clean(more)}`}</p>
${gateBanner(report)}
<ul class="cards">
${[scoreCard, changeCard, findingCard, notRunCard, freshnessCard, supportCard].map(
  (card) => html`<li>${card(report)}</li>
`,
)}</ul>`
}

function gateBanner({ gate, run, findings, madeAt }: RunReport): Markup {
  if (!gate.found) return html`<div class="verdict"><strong>Not judged</strong>${clean(gate.missing, 600)}</div>`
  const unlisted = findings.found ? countUnlisted(findings.found) : null
  const view = viewRecordedGate(gate.found, judgedRun(run, madeAt), { now: madeAt, unlisted })
  return drawVerdict({ ...view, gaps: [...view.gaps, say`Judged ${{ ...safe(gate.found.at), as: 'time' }}`] })
}

function card(label: string, value: Markup | string, more: Markup | string, kind = ''): Markup {
  return html`<span class="label">${label}</span><b class="${kind}">${value}</b><span class="more">${more}</span>`
}

function scoreCard({ run, comparison }: RunReport): Markup {
  const delta = comparison.found?.score_delta
  const isAlike = comparison.found !== undefined && coverSameChecks(comparison.found)
  const change =
    delta == null
      ? clean(comparison.missing ?? 'No change is known: one of the two runs has no score.')
      : html`<span class="${scoreTone(delta, isAlike)}">${signed(delta)}</span> since ${day(comparison.found?.from && scannedAt(comparison.found.from))}${!isAlike && '. The two scans may not cover the same checks.'}`
  if (run.score === null) return card('Score', 'n/a', 'The report has no score.', 'warn')
  const how = run.score_source === 'computed' ? html` Computed by relt; the scanner has none.` : ''
  const gaps = hasGaps(run) && html` <span class="warn">With gaps: ${gapsText(run)}.</span>`
  return card('Score out of 100', markedScore(run.score, run)!, html`${change}${how}${gaps}`)
}

function changeCard({ comparison: { found, missing } }: RunReport): Markup {
  if (!found) return card('New or regressed', 'n/a', clean(missing), 'warn')
  const [came, regressed, resolved, accepted] = (['new', 'regressed', 'resolved', 'accepted'] as const).map(
    (kind) => changesOf(found, kind).total,
  ) as [number, number, number, number]
  const hidden = found.incomparable_findings_count ?? 0
  const more = html`${number(came)} new, ${number(regressed)} regressed, ${number(resolved)} resolved${accepted > 0 && `, ${number(accepted)} accepted`}${hidden > 0 && html`, <span class="warn">${number(hidden)} not comparable</span>`}`
  return card('New or regressed', number(came + regressed), more, came + regressed > 0 ? 'bad' : '')
}

function findingCard({ run }: RunReport): Markup {
  const { findings, suppressed_findings: suppressed, accepted_findings: accepted } = run
  if (!findings) return card('Findings', 'n/a', 'The server does not count them.', 'warn')
  const shares = findingSeverities.map((kind) => ({ kind, count: findings[kind] }))
  const words = shares.filter(({ count }) => count > 0).map(({ kind, count }) => `${number(count)} ${kind}`)
  const apart = [
    ...(suppressed ? [`${number(suppressed)} suppressed`] : []),
    ...(accepted ? [`${number(accepted)} accepted`] : []),
  ]
  const more = html`${shareBar(shares)}${[...words, ...apart].join(', ')}`
  return card('Findings', number(findings.total), more)
}

function notRunCard({ run }: RunReport): Markup {
  const { named, unnamed } = checksNotRun(run)
  const many = named.length + unnamed
  const all = run.total_checks === null ? '' : `of ${count(run.total_checks, 'check')}`
  if (run.is_empty) return card('Checks that did not run', 'all', 'Nothing was looked at.', 'bad')
  if (run.not_run_checks == null && many === 0)
    return card('Checks that did not run', 'n/a', 'The server does not say.', 'warn')
  if (many === 0) return card('Checks that did not run', '0', all)
  return card('Checks that did not run', number(many), html`${all}. <a href="#gaps">Which</a>`, 'warn')
}

function freshnessCard({ freshness: { found, missing } }: RunReport): Markup {
  const label = 'Outdated'
  if (!found) return card(label, 'n/a', clean(missing), 'warn')
  const { items } = found
  const { outdated, affected, unknown } = freshnessFigures(found)
  if (items.length === 0) return card(label, 'n/a', 'The report does not say what runs.', 'warn')
  if (hasOnlyKubernetes(items)) return card(label, 'n/a', kubernetesAlone, 'warn')
  if (unknown.data === items.length) return card(label, 'n/a', 'The catalog knows nothing of what runs.', 'warn')
  const parts = [affected, unknown].flatMap((each) =>
    each?.data ? [toned(each.tone, say`${each.value} ${safe(each.title.toLowerCase())}`)] : [],
  )
  const more = joined([say`of ${safe(count(items.length, 'artifact'))}`, ...parts], ', ')
  return card(label, drawSaid(outdated.value), drawSaid(more), outdated.tone)
}

function supportCard({ run, freshness: { found, missing }, madeAt }: RunReport): Markup {
  const label = 'Kubernetes'
  const version = clean(run.kubernetes_version ?? 'n/a', 40)
  if (!found) return card(label, version, `Its end of support is not known. ${clean(missing)}`, 'warn')
  const eol = found.items.find(({ artifact_type }) => artifact_type === 'kubernetes')?.eol
  if (!eol) return card(label, version, 'Its end of support is not known.', 'warn')
  return card(label, version, dated(`${clean(supportText(eol.cycle, eol))}.`), supportTone(eol, madeAt))
}

/** The recorded verdicts, rule by rule, with the exceptions that were used. */
export function renderGate({ gate, run, isQueued }: RunReport): Markup {
  if (!gate.found) {
    return html`${missingText(gate.missing)}${run.run_id !== '' && !isQueued && html`<p>Judge it: ${command(`relt gate check ${run.run_id}`)}</p>`}`
  }
  const { policies } = gate.found
  if (!policies || policies.length === 0) return missingText('The server does not list the rules.')
  return html`${policies.map(renderPolicy)}`
}

function renderPolicy(recorded: PolicyVerdict): Markup {
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
