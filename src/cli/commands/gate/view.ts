import type { GateResult, RuleResult } from '../../../gate/evaluate.ts'
import type { Violation } from '../../../gate/violation.ts'
import { drawSaid, paint } from '../../../render/terminal/draw.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { listed, withMore } from '../../../util/words.ts'
import { advisoryEdge } from '../../../views/advisory-edge.ts'
import { emptyStoreText, ruleTone, usesText, verdictSigns, viewGate } from '../../../views/gate.ts'
import { joined, safe, say, toned } from '../../../views/said.ts'
import { subjectText } from '../../../views/scan.ts'
import { scopeText } from '../../../views/scope.ts'
import { verdictTones } from '../../../views/verdict.ts'
import type { Io } from '../../output/io.ts'

export function renderGate(io: Io, result: GateResult): string {
  const { state, gaps } = viewGate({ ...result, accept_scope: result.accept_scope.used, run: result })
  const uses = [
    formatUses('Exceptions', result.exceptions),
    formatUses('Checks allowed not to run', result.accept_not_run),
    formatUses('Accepted as out of scope by the policy', result.accept_scope),
  ]
  const more = [
    result.coverage_summary && `Coverage: ${result.coverage_summary}`,
    findsNoAdvisory(result.rules) && advisoryEdge(result.coverage),
    ...uses.slice(0, 2),
    result.accepted_scope && plain(`Accepted scope: ${scopeText(result.accepted_scope)}`),
    ...uses.slice(2),
    ...(result.remarks ?? []).map(plain),
  ]
  const limits = result.verdict === 'passed' && gaps.length > 0 ? say`${joined(gaps, '. ')}.` : []
  return [
    `${io.color.bold('Gate')} ${paint(io, verdictTones[state])(result.verdict)}${emptyStoreText(result)}\n${io.color.dim(plain(subjectText(result)))}\n`,
    limits.length > 0 ? `${drawSaid(io, toned(verdictTones.undecided, limits))}\n` : '',
    ...result.rules.map((rule) => renderRule(io, rule)),
    ...more.map((line) => (line ? io.color.dim(`${line}\n`) : '')),
  ].join('')
}

/** Names the entries that can be removed. */
function formatUses(what: string, uses: Record<'used' | 'unused' | 'expired', { source: string }[]>) {
  const idle = [...uses.unused, ...uses.expired].map(({ source }) => source)
  const text = usesText(what, uses)
  return text && (idle.length > 0 ? plain(`${text}: ${listed(idle)}`) : text)
}

/** A passed advisory rule states that there are none. */
const findsNoAdvisory = (rules: RuleResult[]) =>
  rules.some(({ kind, verdict }) => verdict === 'passed' && (kind === 'affected' || kind === 'fixable'))

function renderRule(io: Io, result: RuleResult): string {
  const { rule, verdict, reason, evidence, evidence_total, notes } = result
  const { color } = io
  const more = evidence_total - evidence.length
  const lines = [
    `${paint(io, ruleTone(result))(verdictSigns[verdict])} ${rule}  ${plain(reason)}${color.dim(exceptedText(result))}`,
    ...notes.map((note) => color.dim(`    ${plain(note)}`)),
    ...(verdict === 'failed' ? evidence.map((each) => renderViolation(io, each)) : []),
    ...(verdict === 'failed' && more > 0 ? [color.dim(withMore('   ', more))] : []),
  ]
  return `${lines.join('\n')}\n`
}

/** ` (3 excepted: 2 by the policy file, 1 by the server)`, or shorter if all are from one of them. */
function exceptedText({ excepted, excepted_by: by }: Pick<RuleResult, 'excepted' | 'excepted_by'>): string {
  if (excepted === 0) return ''
  if (!by) return ` (${excepted} excepted)`
  if (by.server === 0) return ` (${excepted} excepted by the policy file)`
  if (by.file === 0) return ` (${excepted} excepted by the server)`
  return ` (${excepted} excepted: ${by.file} by the policy file, ${by.server} by the server)`
}

export function renderViolation(io: Io, { severity, id, namespace, resource, message }: Violation): string {
  const where = [namespace, resource].filter((part) => part !== null).join(' ')
  const word = severity === null ? '' : `${drawSaid(io, [safe(severity, severity)])} `
  return `    ${word}${plain(id)}${where && ` ${plain(where)}`}: ${plain(message).slice(0, 200)}`
}
