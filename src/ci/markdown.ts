import type { GateResult, RuleResult } from '../gate/evaluate.ts'
import type { Exception } from '../gate/exception.ts'
import type { Verdict } from '../gate/judged.ts'
import type { CiReport } from './report.ts'
import { place, short } from './text.ts'

const verdictWords: Record<Verdict, string> = {
  passed: '✅ passed',
  failed: '❌ failed',
  undecided: '⚠️ undecided',
}

/** The summary for people, at most `maxBytes` long. Foreign text shows as it is: it is no Markdown and no HTML. */
export function renderMarkdown(report: CiReport, maxBytes: number): string {
  const { run, comparison, result } = report
  const lines = [
    `## Gate ${verdictWords[result.verdict]}`,
    '',
    `**${text(run.cluster_name ?? 'Cluster not known')}** (${text(run.environment ?? '-')}), score ${scoreOf(report)}, ${run.findings?.total ?? '-'} findings${changesOf(comparison)}. Run ${code(run.run_id)}`,
    '',
    '| Rule | Verdict | Why |',
    '| --- | --- | --- |',
    ...result.rules.map((rule) => `| ${code(rule.rule)} | ${verdictWords[rule.verdict]} | ${why(rule)} |`),
    ...result.rules.flatMap(evidenceOf),
    ...exceptionsOf(result),
  ]
  return fit(lines, maxBytes)
}

/** The lists are whole, so they count where the server does not. */
function changesOf(comparison: CiReport['comparison']): string {
  if (!comparison) return ''
  const { new_findings, regressed_findings, resolved_findings } = comparison
  const came = comparison.new_findings_count ?? new_findings.length
  const regressed = comparison.regressed_findings_count ?? regressed_findings.length
  const resolved = comparison.resolved_findings_count ?? resolved_findings.length
  return `: ${came} new, ${regressed} regressed, ${resolved} resolved`
}

function scoreOf({ run, comparison }: CiReport): string {
  const before = comparison?.from?.score ?? undefined
  return before === undefined ? String(run.score ?? 'none') : `${before} → ${run.score ?? 'none'}`
}

function why({ reason, excepted, notes }: RuleResult): string {
  return text([reason, ...(excepted > 0 ? [`${excepted} excepted`] : []), ...notes].join('. '))
}

function evidenceOf({ rule, verdict, evidence, evidence_total }: RuleResult): string[] {
  if (verdict !== 'failed' || evidence.length === 0) return []
  const rows = evidence.map((each) =>
    [each.severity ?? '', each.id, place(each), each.message].map((cell) => text(cell)),
  )
  const more = evidence_total - evidence.length
  return [
    '',
    `### ${code(rule)}`,
    '',
    '| Severity | What | Where | Message |',
    '| --- | --- | --- | --- |',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    ...(more > 0 ? ['', `… and ${more} more`] : []),
  ]
}

function exceptionsOf({ exceptions: { used, unused, expired } }: GateResult): string[] {
  const list = (title: string, exceptions: Exception[]) =>
    exceptions.length === 0
      ? []
      : [
          '',
          `### ${title}`,
          '',
          ...exceptions.slice(0, 50).map((each) => `- ${code(each.source)}: ${text(each.reason)}`),
        ]
  const counts = `Exceptions: ${used.length} used, ${unused.length} unused, ${expired.length} expired.`
  if (used.length + unused.length + expired.length === 0) return []
  return ['', counts, ...list('Expired exceptions', expired)]
}

/** What Markdown or HTML could read as a sign is written as its number; letters, digits and some harmless signs stay. */
function text(foreign: string): string {
  return short(foreign, 300).replace(
    /[^\p{L}\p{N}\p{M}\p{So} ,;/()=%+\u2026\u2192-]/gu,
    (sign) => `&#${sign.codePointAt(0)};`,
  )
}

/** In `<code>` and not in backticks: there the numbers of signs would show as numbers. */
function code(foreign: string): string {
  return `<code>${text(foreign)}</code>`
}

/** Whole lines only, and a word about the rest. */
function fit(lines: string[], maxBytes: number): string {
  const whole = `${lines.join('\n')}\n`
  if (Buffer.byteLength(whole) <= maxBytes) return whole
  const note = '\n… cut here: there is no more room\n'
  let left = maxBytes - Buffer.byteLength(note)
  const kept: string[] = []
  for (const line of lines) {
    left -= Buffer.byteLength(line) + 1
    if (left < 0) break
    kept.push(line)
  }
  return kept.length === 0 ? '' : `${kept.join('\n')}\n${note}`
}
