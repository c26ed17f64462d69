import { drawSaid, paint } from '../../../render/terminal/draw.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { count, listed, withMore } from '../../../util/words.ts'
import { advisoryEdge } from '../../../views/advisory-edge.ts'
import {
  baselineWords,
  isOpenRule,
  linesTitle,
  ruleTone,
  usesText,
  verdictSigns,
  viewGate,
} from '../../../views/gate.ts'
import type { SaidGate, SaidRule, SaidViolation } from '../../../views/gate-words.ts'
import { joined, plainText, safe, say, toned } from '../../../views/said.ts'
import { subjectText } from '../../../views/scan.ts'
import { verdictTones } from '../../../views/verdict.ts'
import type { Io } from '../../output/io.ts'

/** So many lines at 80 columns has a verdict that passed, one that is undecided for one cause, and each further cause. */
const mostLines = { passed: 8, undecided: 12, cause: 2 }
const mostCauses = 5
/** So many rules that passed have a line each. */
const mostPassed = 3

interface Line {
  text: string
  style?: (text: string) => string
}

/** `before`: lines above it, which count as well. */
export function renderGate(io: Io, result: SaidGate, before = ''): string {
  const { verdict, rules, causes } = result
  const { state, gaps } = viewGate({ ...result, run: result })
  const { color } = io
  const passed = rules.filter((rule) => !isOpenRule(rule))
  const isBrief = passed.length > mostPassed || (verdict !== 'passed' && passed.length > 0)
  const sign = verdictSigns.passed
  const names = ` ${count(passed.length, 'rule')} passed: ${listed(
    passed.map(({ rule }) => rule),
    8,
  )}`
  const limits = verdict === 'passed' && gaps.length > 0 ? say`${joined(gaps, '. ')}.` : []
  const firstLines: Line[] = [
    { text: `Gate ${verdict}`, style: () => `${color.bold('Gate')} ${paint(io, verdictTones[state])(verdict)}` },
    { text: plain(subjectText(result)), style: color.dim },
    ...(limits.length > 0
      ? [{ text: plain(plainText(limits)), style: () => drawSaid(io, toned(verdictTones.undecided, limits)) }]
      : []),
    ...rules.filter((rule) => isOpenRule(rule) || !isBrief).flatMap((rule) => ruleLines(io, rule)),
    ...(isBrief ? [{ text: `${sign}${names}`, style: () => `${paint(io, verdictTones.passed)(sign)}${names}` }] : []),
    ...causes.slice(0, mostCauses).flatMap((cause) => causeLines(cause).map((text) => ({ text: `  ${text}` }))),
    ...othersLines(result),
    ...(causes.length > mostCauses ? [{ text: withMore('  ', causes.length - mostCauses) }] : []),
  ]
  const remarks = [
    ...(result.remarks ?? []),
    findsNoAdvisory(rules) && advisoryEdge(result.coverage),
    ...rules.flatMap(({ rule, notes }) => notes.map((note) => `${rules.length > 1 ? `${rule}: ` : ''}${note}`)),
    result.coverage_summary && `Coverage: ${result.coverage_summary}`,
    formatUses('Exceptions', result.exceptions),
    formatUses(linesTitle, result.undecided_lines),
  ].filter((text) => text !== undefined && text !== false)
  const room = Math.max(1, roomFor(result) - before.split('\n').length + 1 - heightOf(io, firstLines))
  const lines = [
    ...firstLines,
    ...fitted(
      io,
      remarks.map((text) => ({ text: `  ${plain(text)}`, style: color.dim })),
      room,
    ),
  ]
  return lines.map(({ text, style = (each) => each }) => `${style(text)}\n`).join('')
}

/** The cure, and the line of the policy. */
export const causeLines = ({ cure, under, line }: SaidGate['causes'][number]): string[] => [
  plain(cure).slice(0, 240),
  ...(line === null ? [] : [`or in relt.yaml, under ${under}: ${plain(line)}`]),
]

function othersLines({ failed_subjects: failed = [] }: SaidGate): Line[] {
  const fail = failed.length === 1 ? 'subject fails' : 'subjects fail'
  return failed.length > 0 ? [{ text: `${failed.length} other ${fail}: ${plain(listed(failed))}` }] : []
}

/** A failed verdict has as many as it needs. */
function roomFor({ verdict, causes }: SaidGate): number {
  if (verdict === 'failed') return Number.POSITIVE_INFINITY
  return mostLines[verdict] + mostLines.cause * Math.max(0, Math.min(causes.length, mostCauses) - 1)
}

const heightOf = ({ width }: Io, lines: Line[]): number =>
  lines.reduce((sum, { text }) => sum + Math.ceil(text.length / Math.min(width, 80)), 0)

/** The lines that have room; the rest are only counted. */
function fitted(io: Io, lines: Line[], room: number): Line[] {
  if (heightOf(io, lines) <= room) return lines
  const kept = lines.filter((_, i) => heightOf(io, lines.slice(0, i + 1)) < room)
  const rest = lines.length - kept.length
  return [...kept, { text: `  ${count(rest, 'more remark')}: --json`, style: io.color.dim }]
}

/** Names the entries that can be removed. */
function formatUses(what: string, uses: Record<'used' | 'unused' | 'expired', { source: string }[]>) {
  const idle = [...uses.unused, ...uses.expired].map(({ source }) => source)
  const text = usesText(what, uses)
  return text && (idle.length > 0 ? plain(`${text}: ${listed(idle)}`) : text)
}

/** A passed advisory rule states that there are none. */
const findsNoAdvisory = (rules: SaidRule[]) =>
  rules.some(({ kind, verdict }) => verdict === 'passed' && (kind === 'affected' || kind === 'fixable'))

function ruleLines(io: Io, result: SaidRule): Line[] {
  const { rule, verdict, reason, evidence, evidence_total } = result
  const more = evidence_total - evidence.length
  const sign = verdictSigns[verdict]
  const rest = ` ${rule}  ${plain(reason)}${exceptedText(result)}${sinceText(result)}`
  return [
    { text: `${sign}${rest}`, style: () => `${paint(io, ruleTone(result))(sign)}${rest}` },
    ...(verdict === 'failed' ? evidence.map((each) => ({ text: renderViolation(io, each) })) : []),
    ...(verdict === 'failed' && more > 0 ? [{ text: withMore('   ', more), style: io.color.dim }] : []),
  ]
}

/** ` (since 2026-11-20 08:00)`: the scan that a rule compares with; a pass says it only if that is not its last one. */
function sinceText({ verdict, baseline }: SaidRule): string {
  if (!baseline?.at || (verdict === 'passed' && baseline.why === 'passed')) return ''
  return ` (since ${baseline.at.slice(0, 16)}${baseline.why === 'passed' ? '' : `, ${baselineWords[baseline.why]}`})`
}

/** ` (3 excepted: 2 by the policy file, 1 by the server)`, or shorter if all are from one of them. */
function exceptedText({ excepted, excepted_by: by }: Pick<SaidRule, 'excepted' | 'excepted_by'>): string {
  if (excepted === 0) return ''
  if (!by) return ` (${excepted} excepted)`
  if (by.server === 0) return ` (${excepted} excepted by the policy file)`
  if (by.file === 0) return ` (${excepted} excepted by the server)`
  return ` (${excepted} excepted: ${by.file} by the policy file, ${by.server} by the server)`
}

export function renderViolation(io: Io, { severity, id, namespace, resource, message }: SaidViolation): string {
  const where = [namespace, resource].filter((part) => part !== null).join(' ')
  const word = severity === null ? '' : `${drawSaid(io, [safe(severity, severity)])} `
  return `    ${word}${plain(id)}${where && ` ${plain(where)}`}: ${plain(message).slice(0, 200)}`
}
