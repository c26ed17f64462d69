import { ruleLevel } from '../views/gate.ts'
import type { SaidGate } from '../views/gate-words.ts'
import { subjectText } from '../views/scan.ts'
import { place, short } from './text.ts'

/** GitHub shows ten annotations of a kind per step. */
const maxOfRule = 5

/** GitHub workflow commands, one per line: undecided rules are warnings, failed ones errors with their evidence. */
export function renderAnnotations(result: SaidGate) {
  const about = subjectText(result)
  return result.rules
    .flatMap((judged) => {
      const { rule, reason, evidence, allowed_unknown: allowed } = judged
      const level = ruleLevel(judged)
      if (level === undefined) return []
      const shown = evidence.slice(0, maxOfRule).map((each) => `${each.id} ${place(each)}: ${each.message}`)
      const message = [reason, ...(allowed ? [allowed] : []), ...shown, about]
        .map((line) => short(line, 500))
        .join('\n')
      return `::${level} title=${property(`Gate: ${rule}`)}::${data(message)}\n`
    })
    .join('')
}

function data(text: string) {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string) {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
