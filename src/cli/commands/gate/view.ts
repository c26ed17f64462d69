import type { FindingSeverity } from '../../../contract/scan-finding.ts'
import { advisoryEdge } from '../../../freshness/advisory-edge.ts'
import type { GateResult, RuleResult } from '../../../gate/evaluate.ts'
import type { Verdict } from '../../../gate/rule-verdict.ts'
import type { Violation } from '../../../gate/violation.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { subjectText } from '../../../views/scan.ts'
import { scopeText } from '../../../views/scope.ts'
import type { Io } from '../../output/io.ts'
import { colorOfSeverity } from '../reports/severity.ts'

export function renderGate(io: Io, { verdict, rules, ...result }: GateResult): string {
  const more = [
    result.coverage_summary && `Coverage: ${result.coverage_summary}`,
    findsNoAdvisory(rules) && advisoryEdge(result.coverage),
    usesText('Exceptions', result.exceptions),
    usesText('Checks allowed not to run', result.accept_not_run),
    result.accepted_scope && plain(`Accepted scope: ${scopeText(result.accepted_scope)}`),
    usesText('Accepted as out of scope by the policy', result.accept_scope),
    ...(result.remarks ?? []).map(plain),
  ]
  return [
    `${io.color.bold('Gate')} ${paintVerdict(io, verdict)(verdict)}\n${io.color.dim(plain(subjectText(result)))}\n`,
    ...rules.map((rule) => renderRule(io, rule)),
    ...more.map((line) => (line ? io.color.dim(`${line}\n`) : '')),
  ].join('')
}

/** A rule about advisories that passes says that none counts. */
function findsNoAdvisory(rules: RuleResult[]): boolean {
  return rules.some(({ rule, verdict }) => verdict === 'passed' && /^(?:affected|fixable)\b/.test(rule))
}

/** Undefined where there are none. */
function usesText(what: string, { used, unused, expired }: Record<'used' | 'unused' | 'expired', unknown[]>) {
  if (used.length + unused.length + expired.length === 0) return undefined
  const counts = `${used.length} used, ${unused.length} unused, ${expired.length} expired`
  return `${what}: ${counts}; see \`relt gate audit\``
}

export const signs: Record<Verdict, string> = { passed: '✓', failed: '✗', undecided: '?' }

function renderRule(io: Io, { rule, verdict, reason, evidence, evidence_total, notes, ...result }: RuleResult): string {
  const { color } = io
  const more = evidence_total - evidence.length
  const lines = [
    `${paintVerdict(io, verdict)(signs[verdict])} ${rule}  ${plain(reason)}${color.dim(exceptedText(result))}`,
    ...notes.map((note) => color.dim(`    ${plain(note)}`)),
    ...(verdict === 'failed' ? evidence.map((each) => renderOffence(io, each)) : []),
    ...(verdict === 'failed' && more > 0 ? [color.dim(`    and ${more} more`)] : []),
  ]
  return `${lines.join('\n')}\n`
}

/** ` (3 excepted: 2 by the policy file, 1 by the server)`, shorter where it was one of the two. */
function exceptedText({ excepted, excepted_by: by }: Pick<RuleResult, 'excepted' | 'excepted_by'>): string {
  if (excepted === 0) return ''
  if (!by) return ` (${excepted} excepted)`
  if (by.server === 0) return ` (${excepted} excepted by the policy file)`
  if (by.file === 0) return ` (${excepted} excepted by the server)`
  return ` (${excepted} excepted: ${by.file} by the policy file, ${by.server} by the server)`
}

function renderOffence(io: Io, { severity, id, namespace, resource, message }: Violation): string {
  const where = [namespace, resource].filter((part) => part !== null).join(' ')
  const word = severity === null ? '' : `${paintSeverity(io, severity)} `
  return `    ${word}${plain(id)}${where && ` ${plain(where)}`}: ${plain(message).slice(0, 200)}`
}

function paintSeverity(io: Io, severity: FindingSeverity): string {
  return colorOfSeverity(io, severity)(severity)
}

export function paintVerdict({ color }: Io, verdict: Verdict): (text: string) => string {
  return { passed: color.green, failed: color.red, undecided: color.yellow }[verdict]
}
