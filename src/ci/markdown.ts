import { andMore, count as plural } from '../util/words.ts'
import { advisoryEdge } from '../views/advisory-edge.ts'
import { advisoryWord } from '../views/advisory-word.ts'
import { countsSaid, viewComparison } from '../views/comparison.ts'
import { exceptionWhere } from '../views/exception.ts'
import { linesTitle, markedVerdict, ruleTone, usesText, viewGate } from '../views/gate.ts'
import type { SaidGate, SaidRule } from '../views/gate-words.ts'
import { checksNotRun, unnamedText } from '../views/not-run.ts'
import { openPaths } from '../views/risk-path.ts'
import { joined, plainText } from '../views/said.ts'
import { scanTimeText } from '../views/scan.ts'
import { scoresText } from '../views/score.ts'
import { titles } from '../views/titles.ts'
import { verdictTones } from '../views/verdict.ts'
import { fixesFor } from './fixes.ts'
import type { CiReport } from './report.ts'
import { place, short } from './text.ts'

/** The summary for users, at most `maxBytes` long. Foreign text is escaped, so it is shown unchanged. */
export function renderMarkdown(report: CiReport, maxBytes: number) {
  const { run, result } = report
  const gate = viewGate({ ...result, run: result })
  const lines = [
    `## Gate ${markedVerdict(verdictTones[gate.state], result.verdict)}`,
    '',
    ...(result.verdict === 'passed' && gate.gaps.length > 0
      ? [`${text(plainText(joined(gate.gaps, '. ')))}.`, '']
      : []),
    `**${text(run.cluster_name ?? 'Unknown cluster')}** (${text(run.environment ?? '-')}), score ${scoresText(run, report.comparison)}, ${toFindings(report)}. Run ${code(run.run_id)}, ${scanTimeText(result)}`,
    '',
    ...gapsFor(report),
    heading([titles.rule, titles.verdict, titles.reason]),
    ...result.rules.map(
      (rule) => `| ${code(rule.rule)} | ${markedVerdict(ruleTone(rule), rule.verdict)} | ${why(rule)} |`,
    ),
    ...curesFor(result),
    ...result.rules.flatMap(toEvidence),
    ...toFixes(report),
    ...toRiskPaths(report),
    ...advisoriesFor(report),
    ...exceptionsFor(result),
  ]
  return fit(lines, maxBytes)
}

/** `10 findings: 2 new, 0 regressed, 1 resolved, 5 unchanged`. */
function toFindings({ run, comparison }: CiReport) {
  const suppressed = run.suppressed_findings ?? 0
  const accepted = run.accepted_findings ? ` (${run.accepted_findings} of them accepted)` : ''
  const total = run.findings ? plural(run.findings.total, 'finding') : '- findings'
  const changes = comparison ? `: ${plainText(countsSaid(viewComparison(comparison)))}` : ''
  return `${total}${accepted}${suppressed > 0 ? ` and ${suppressed} suppressed` : ''}${changes}`
}

const section = (title: string, lines: string[]) => ['', `### ${title}`, '', ...lines]

const mostChecks = 20
const mostAffected = 20
const mostPaths = 20

/** Gaps in the scan and the catalog. */
function gapsFor({ run, result }: CiReport) {
  const { named: all, unnamed } = checksNotRun(run)
  const named = all.filter(({ known_fault }) => known_fault === undefined)
  const count = named.length + unnamed
  const shown = named.slice(0, mostChecks)
  const rest = count - shown.length
  return [
    ...(count > 0 ? [`⚠️ ${plural(count, 'check')} did not run:`, ''] : []),
    ...shown.map(({ check_id, name, reason }) => `- ${code(check_id)} ${text(name)}: ${text(reason)}`),
    ...(rest > 0 ? [`- ${unnamedText(rest)}`] : []),
    ...(count > 0 ? [''] : []),
    ...(result.coverage_summary ? [`Coverage: ${text(result.coverage_summary)}`, ''] : []),
  ]
}

function why({ reason, excepted, notes }: SaidRule) {
  return text([reason, ...(excepted > 0 ? [`${excepted} excepted`] : []), ...notes].join('. '))
}

function toEvidence({ rule, verdict, evidence, evidence_total }: SaidRule) {
  if (verdict !== 'failed' || evidence.length === 0) return []
  const rows = evidence.map((each) =>
    [each.severity ?? '', each.id, place(each), each.message].map((cell) => text(cell)),
  )
  const more = evidence_total - evidence.length
  return section(code(rule), [
    heading([titles.severity, titles.what, titles.where, titles.message]),
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    ...(more > 0 ? ['', `… ${andMore(more)}`] : []),
  ])
}

/** A table header, with the line below it. */
const heading = (shown: string[]) => `| ${shown.join(' | ')} |\n|${' --- |'.repeat(shown.length)}`

/** Remediation for failed rules, once for each check. */
function toFixes({ run, result }: CiReport) {
  const fixes = fixesFor(run, result)
  if (fixes.length === 0) return []
  const lines = fixes.map(({ check_id, recommendation, url }) => {
    const link = url === null ? '' : ` &lt;${text(url)}&gt;`
    return `- ${code(check_id)}${recommendation === null ? '' : ` ${text(recommendation)}`}${link}`
  })
  return section('How to fix', lines)
}

function toRiskPaths({ run, comparison }: CiReport) {
  const open = openPaths(run.risk_paths ?? [], comparison?.risk_paths)
  const { closed = [], incomparable = [] } = comparison?.risk_paths ?? {}
  if (open.length + closed.length + incomparable.length === 0) return []
  const line = ({ path, isNew }: (typeof open)[number]) =>
    `- ${code(path.id)} ${text(path.name)}${isNew ? ' (new)' : ''}${path.summary === null ? '' : `: ${text(path.summary)}`}`
  const more = open.length - mostPaths
  return section('Risk paths', [
    ...open.slice(0, mostPaths).map(line),
    ...(more > 0 ? [`- … ${andMore(more)}`] : []),
    ...closed.map(({ id, name }) => `- ${code(id)} ${text(name)}: closed`),
    ...incomparable.map(({ id, name, reason }) => `- ${code(id)} ${text(name)}: not compared. ${text(reason)}`),
  ])
}

/** Affected artifacts, with the smallest step that fixes them. */
function advisoriesFor({ freshness }: CiReport) {
  if (!freshness) return []
  const affected = freshness.items.filter(({ advisories_count }) => (advisories_count ?? 0) > 0)
  const more = affected.length - mostAffected
  const edge = ['', text(advisoryEdge(freshness.coverage))]
  if (affected.length === 0) return section('Advisories', ['None is known to affect what runs.', ...edge])
  const rows = affected.slice(0, mostAffected).map((item) => {
    const ids = (item.advisories ?? []).slice(0, 3).map(({ id, seen_by, exploited }) => {
      const marks = [...(exploited ? ['exploited'] : []), ...(seen_by?.includes('trivy') ? ['Trivy too'] : [])]
      return marks.length > 0 ? `${id} (${marks.join(', ')})` : id
    })
    const rest = (item.advisories_count ?? 0) - ids.length
    return [item.display_name ?? '-', advisoryWord(item), `${ids.join(', ')}${rest > 0 ? ` ${andMore(rest)}` : ''}`]
  })
  return section('Advisories', [
    heading([titles.artifact, titles.advisories, titles.advisory]),
    ...rows.map((cells) => `| ${cells.map(text).join(' | ')} |`),
    ...(more > 0 ? ['', `… ${andMore(more)}`] : []),
    ...edge,
  ])
}

/** What would decide the undecided rules. */
function curesFor({ causes }: SaidGate) {
  const lines = causes.map(
    ({ cure, under, line }) =>
      `- ${text(cure)}.${line === null ? '' : ` Or in relt.yaml, under ${under}: ${code(line)}`}`,
  )
  return lines.length > 0 ? section('What would decide it', lines) : []
}

function exceptionsFor({ rules, exceptions, undecided_lines, remarks }: SaidGate) {
  const line = ({ source, reason = '' }: { source: string; reason?: string | undefined }, where = '') =>
    `- ${code(source)}${where}: ${text(reason)}`
  const listed = [
    ...exceptions.expired.map((each) => line(each, each.origin && ` in ${text(exceptionWhere(each))}`)),
    ...undecided_lines.expired.map((each) => line(each)),
  ].slice(0, 50)
  return [
    ...toCounts('Exceptions', exceptions),
    ...acceptedBy(rules),
    ...(remarks ?? []).flatMap((remark) => ['', text(remark)]),
    ...toCounts(linesTitle, undecided_lines),
    ...(listed.length > 0 ? section('Expired exceptions', listed) : []),
  ]
}

function acceptedBy(rules: SaidGate['rules']) {
  const lines = rules.flatMap(({ rule, excepted_by: by }) =>
    by ? [`- ${code(rule)}: ${by.file} by the policy file, ${by.server} by the server`] : [],
  )
  return lines.length > 0 ? ['', 'Accepted by exceptions:', '', ...lines] : []
}

function toCounts(what: string, uses: Parameters<typeof usesText>[1]) {
  const counts = usesText(what, uses)
  return counts === undefined ? [] : ['', `${counts}.`]
}

/** Escapes characters that Markdown or HTML could interpret as numeric references. */
function text(foreign: string) {
  return short(foreign, 300).replace(
    /[^\p{L}\p{N}\p{M}\p{So} ,;/()=%+\u2026\u2192-]/gu,
    // An @ before a name would notify that user of a comment.
    (sign) => (sign === '@' ? '&#64;&#8203;' : `&#${sign.codePointAt(0)};`),
  )
}

/** Uses `<code>` instead of backticks, in which numeric references would be shown literally. */
function code(foreign: string) {
  return `<code>${text(foreign)}</code>`
}

/** Truncates to whole lines, with a note about the rest. */
function fit(lines: string[], maxBytes: number) {
  const whole = `${lines.join('\n')}\n`
  if (Buffer.byteLength(whole) <= maxBytes) return whole
  const note = '\n… truncated: the summary is full\n'
  let left = maxBytes - Buffer.byteLength(note)
  const kept: string[] = []
  for (const line of lines) {
    left -= Buffer.byteLength(line) + 1
    if (left < 0) break
    kept.push(line)
  }
  return kept.length === 0 ? '' : `${kept.join('\n')}\n${note}`
}
