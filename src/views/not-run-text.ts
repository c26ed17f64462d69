import type { CheckNotRun } from '../../../contract/cluster-report.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { listed } from '../../../util/words.ts'
import { note, type Remark } from '../../output/remarks.ts'

const mostNamed = 5
const mostCharacters = 160

interface NotRunOptions {
  /** Every check on a line, with its whole reason. */
  explain?: boolean | undefined
  /** What else to say of a check. */
  noteOf?: (check: CheckNotRun) => string
}

/** `: NODE002 (forbidden), WRK003 (time-out) and 2 more`, or a line for each. */
export function listNotRun(checks: CheckNotRun[], { explain, noteOf = () => '' }: NotRunOptions = {}): string {
  if (checks.length === 0) return ''
  if (explain) {
    return `:${checks.map((check) => `\n  ${plain(`${check.check_id}: ${check.reason}${noteOf(check)}`)}`).join('')}`
  }
  const named = checks.map((check) => plain(`${check.check_id} (${firstSentence(check.reason)}${noteOf(check)})`))
  return `: ${listed(named, mostNamed)}`
}

/** The first sentence of a reason, without its full stop. A scanner's error can be a page. */
export function firstSentence(reason: string): string {
  const [sentence = ''] = reason.trim().split(/\n|(?<=[.!?]['")\]]?)\s+(?=['"([]?[\p{Lu}\d])/u, 1)
  const text = withoutStop(sentence)
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters).replace(/\s+\S*$/, '')}…` : text
}

const withoutStop = (text: string): string => text.replace(/(?<!\.)\.$/, '')

/** Of an answer that says less about the checks than it knows. */
export function shortenedRemark(groups: { named: CheckNotRun[] }[], explain: boolean | undefined): Remark[] {
  const isShort = groups.some(
    ({ named }) =>
      named.length > mostNamed || named.some(({ reason }) => firstSentence(reason) !== withoutStop(reason.trim())),
  )
  return isShort && !explain ? [note('The reasons are cut short. Add --explain to show them whole.')] : []
}
