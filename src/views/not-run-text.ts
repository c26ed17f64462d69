import type { CheckNotRun } from '../contract/cluster-report.ts'
import { count, listed, withoutStop } from '../util/words.ts'
import type { NotRunGroup } from './not-run.ts'
import { named, type Said, safe } from './said.ts'
import type { Note } from './view.ts'

const mostNamed = 5
const mostCharacters = 160

interface NotRunOptions {
  /** Show each check on its own line, with the full reason. */
  explain?: boolean | undefined
  /** Returns an additional note about a check. */
  noteFor?: (check: CheckNotRun) => string
}

/** `: NODE002 (forbidden), WRK003 (time-out) and 2 more`, or one line per check. */
export function listNotRun(checks: CheckNotRun[], { explain, noteFor = () => '' }: NotRunOptions = {}) {
  if (checks.length === 0) return ['']
  if (explain) return [':', ...checks.map((check) => `  ${check.check_id}: ${check.reason}${noteFor(check)}`)]
  const names = checks.map((check) => `${check.check_id} (${firstSentence(check.reason)}${noteFor(check)})`)
  return [`: ${listed(names, mostNamed)}`]
}

/** `12 checks did not run in the later scan: NODE002 (forbidden), …`, in one or several lines. */
export function notRunLines({ where, count: many, named: checks }: NotRunGroup, options: NotRunOptions): Said[] {
  const [first, ...rest] = listNotRun(checks, options)
  return [
    [safe(`${count(many, 'check')} did not run in ${where}`, 'warn'), named('text', first!, { tone: 'warn' })],
    ...rest.map((line) => [named('text', line, { tone: 'warn' })]),
  ]
}

/** First sentence of a reason without its period, because a scanner's error can fill a page. */
export function firstSentence(reason: string) {
  const [sentence = ''] = reason.trim().split(/\n|(?<=[.!?]['")\]]?)\s+(?=['"([]?[\p{Lu}\d])/u, 1)
  const text = withoutStop(sentence)
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters).replace(/\s+\S*$/, '')}…` : text
}

/** Notes that the answer shortened the list of checks. */
export function shortenedNotes(groups: { named: CheckNotRun[] }[], explain: boolean | undefined): Note[] {
  const isShort = groups.some(
    ({ named }) =>
      named.length > mostNamed || named.some(({ reason }) => firstSentence(reason) !== withoutStop(reason.trim())),
  )
  return isShort && !explain ? [{ said: [safe('The reasons are cut short. Add --explain to show them whole.')] }] : []
}
