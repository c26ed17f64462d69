import { findingSeverities } from '../../contract/choices.ts'
import type { GateVerdict, PolicyVerdict } from '../../contract/gate-verdict.ts'
import { staleDays } from '../../contract/thresholds.ts'
import { allowedUnknown } from '../../gate/rule-verdict.ts'
import { supportText } from '../../lifecycle/support-text.ts'
import { clean, command, dated, day, html, type Markup, name, time } from '../../render/html/markup.ts'
import { table } from '../../render/html/table.ts'
import { formatTimestamp, parseTimestamp } from '../../util/time.ts'
import { count, number, signed } from '../../util/words.ts'
import { checksNotRun } from '../../views/not-run.ts'
import { scannedAt } from '../../views/scan.ts'
import { coverSameChecks, gapsText, hasGaps, markedScore, scoreTone } from '../../views/score.ts'
import { shareBar } from '../chart.ts'
import { hasOnlyKubernetes, kubernetesAlone } from './freshness.ts'
import { countUnlisted, type RunReport } from './report.ts'
import { missingText } from './words.ts'

const verdictWords: Record<GateVerdict, string> = {
  passed: 'Gate passed',
  failed: 'Gate failed',
  undecided: 'Gate undecided',
}

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

function gateBanner(report: RunReport): Markup {
  const { gate } = report
  if (!gate.found) return html`<div class="verdict"><strong>Not judged</strong>${clean(gate.missing, 600)}</div>`
  const { verdict, policies, at } = gate.found
  const limits = limitsOf(report, policies ?? [])
  // A policy may allow all of this, and a reader takes green for everything.
  const kind = verdict === 'passed' && limits.length > 0 ? 'undecided' : verdict
  const words = [reasonOf(verdict, policies), ...limits].join(' ')
  return html`<div class="verdict ${kind}"><strong>${verdictWords[verdict]}</strong>${words} Judged ${time(at)}.</div>`
}

/** What the verdict does not cover, a sentence each. */
function limitsOf({ run, findings, madeAt }: RunReport, policies: PolicyVerdict[]): string[] {
  const notRun = run.not_run_checks
  const unlisted = findings.found ? countUnlisted(findings.found) : 0
  const rules = policies.flatMap((policy) => policy.rules)
  const allowed = rules.filter(isAllowed).length
  const today = formatTimestamp(madeAt).slice(0, 10)
  const ended = policies.flatMap(({ exceptions }) => exceptions).filter(({ expires }) => expires < today).length
  const entries = policies.flatMap((policy) => policy.accept_scope ?? [])
  const narrowed = entries.reduce((sum, { matched }) => sum + matched, 0)
  const scanned = parseTimestamp(scannedAt(run) ?? '')
  const days = scanned === undefined ? 0 : Math.floor((madeAt - scanned) / 86_400)
  return [
    days > staleDays && `The scan is ${number(days)} days old.`,
    notRun == null && 'Whether every check ran is not known.',
    !!notRun && `${count(notRun, 'check')} did not run.`,
    !findings.found && 'Its findings are not known.',
    unlisted > 0 && `The report does not list ${count(unlisted, 'finding')} that the scanner counted.`,
    run.is_empty === true && 'The scan looked at nothing.',
    allowed > 0 && `--allow-unknown let ${count(allowed, 'rule')} pass.`,
    narrowed > 0 &&
      `The policy accepts that ${number(narrowed)} of the accepted scope ${narrowed === 1 ? 'is' : 'are'} missing.`,
    ended > 0 && `${count(ended, 'exception')} that it used ${ended === 1 ? 'has' : 'have'} ended since.`,
  ].filter((each) => each !== false)
}

/** The rule passed although it could not be decided. */
const isAllowed = ({ verdict, reason }: PolicyVerdict['rules'][number]): boolean =>
  verdict === 'passed' && reason.includes(allowedUnknown)

const mostReasons = 3

function reasonOf(verdict: GateVerdict, policies: PolicyVerdict[] | undefined): string {
  const rules = (policies ?? []).flatMap((policy) => policy.rules)
  if (rules.length === 0) return 'The rules are not listed.'
  const open = rules.filter((rule) => rule.verdict === verdict)
  const excepted = rules.reduce((sum, rule) => sum + rule.excepted, 0)
  const accepted = excepted > 0 ? ` Exceptions let ${number(excepted)} pass.` : ''
  const isPassed = verdict === 'passed'
  const named = open
    .slice(0, mostReasons)
    .map(({ rule, reason }) => (reason && !isPassed ? `${rule}: ${reason}` : rule))
  const more = open.length > mostReasons ? `, and ${open.length - mostReasons} more` : ''
  return `${isPassed ? `${count(open.length, 'rule')} passed: ` : ''}${clean(named.join('; '), 600)}${more}.${accepted}`
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
  const came = found.new_findings_count ?? found.new_findings.length
  const regressed = found.regressed_findings_count ?? found.regressed_findings.length
  const resolved = found.resolved_findings_count ?? found.resolved_findings.length
  const hidden = found.incomparable_findings_count ?? 0
  const more = html`${number(came)} new, ${number(regressed)} regressed, ${number(resolved)} resolved${hidden > 0 && html`, <span class="warn">${number(hidden)} not comparable</span>`}`
  return card('New or regressed', number(came + regressed), more, came + regressed > 0 ? 'bad' : '')
}

function findingCard({ run: { findings, suppressed_findings: suppressed } }: RunReport): Markup {
  if (!findings) return card('Findings', 'n/a', 'The server does not count them.', 'warn')
  const shares = findingSeverities.map((kind) => ({ kind, count: findings[kind] }))
  const words = shares.filter(({ count }) => count > 0).map(({ kind, count }) => `${number(count)} ${kind}`)
  const hidden = suppressed ? `${words.length > 0 ? ', ' : ''}${number(suppressed)} suppressed` : ''
  const more = html`${shareBar(shares)}${words.join(', ')}${hidden}`
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
  if (!found) return card('Outdated', 'n/a', clean(missing), 'warn')
  const { items } = found
  const behind = items.filter(({ status }) => status === 'major_behind' || status === 'minor_behind').length
  const unknown = items.filter(({ status, vendor_component }) => status === 'unknown' && !vendor_component).length
  const affected = items.filter(({ advisories_count }) => (advisories_count ?? 0) > 0).length
  const parts = [
    `of ${count(items.length, 'artifact')}`,
    ...(affected > 0 ? [`${number(affected)} affected by advisories`] : []),
    ...(unknown > 0 ? [`${number(unknown)} unknown`] : []),
  ]
  if (items.length === 0) return card('Outdated', 'n/a', 'The report does not say what runs.', 'warn')
  if (hasOnlyKubernetes(items)) return card('Outdated', 'n/a', kubernetesAlone, 'warn')
  if (unknown === items.length) return card('Outdated', 'n/a', 'The catalog knows nothing of what runs.', 'warn')
  return card('Outdated', number(behind), parts.join(', '), affected > 0 ? 'bad' : behind > 0 ? 'warn' : '')
}

function supportCard({ run, freshness: { found, missing } }: RunReport): Markup {
  const label = 'Kubernetes'
  const version = run.kubernetes_version ?? 'n/a'
  if (!found) return card(label, clean(version, 40), `Its end of support is not known. ${clean(missing)}`, 'warn')
  const eol = found.items.find(({ artifact_type }) => artifact_type === 'kubernetes')?.eol
  if (!eol) return card(label, clean(version, 40), 'Its end of support is not known.', 'warn')
  return card(label, clean(version, 40), dated(`${clean(supportText(eol.cycle, eol))}.`), eol.is_eol ? 'bad' : '')
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

function renderPolicy({ verdict, policy, rules, exceptions, at, by }: PolicyVerdict): Markup {
  return html`<h3>${name(policy.name)}: <span class="${rules.some(isAllowed) && verdict === 'passed' ? 'warn' : verdictKinds[verdict]}">${verdict}</span></h3>
<p class="note">Recorded by ${name(by)} ${time(at)}${policy.digest && html`. Policy ${policy.digest.slice(0, 12)}`}</p>
${table(
  [
    { title: 'Rule', value: ({ rule }) => html`<code>${clean(rule, 100)}</code>` },
    {
      title: 'Verdict',
      value: (rule) =>
        html`<span class="${isAllowed(rule) ? 'warn' : verdictKinds[rule.verdict]}">${rule.verdict}</span>`,
    },
    { title: 'Why', value: ({ reason }) => clean(reason, 1000) },
    { title: 'Excepted', value: ({ excepted }) => number(excepted), align: 'right' },
  ],
  rules,
  { caption: 'Rules' },
)}
${
  exceptions.length === 0
    ? html`<p class="note">No exception was used.</p>`
    : table(
        [
          { title: 'Exception', value: ({ source }) => clean(source) },
          { title: 'Let pass', value: ({ matched }) => number(matched), align: 'right' },
          { title: 'Until', value: ({ expires }) => clean(expires, 10) },
          { title: 'Reason', value: ({ reason }) => clean(reason, 1000) },
        ],
        exceptions,
        { caption: 'Exceptions that were used' },
      )
}`
}

const verdictKinds: Record<GateVerdict, string> = { passed: 'good', failed: 'bad', undecided: 'warn' }
