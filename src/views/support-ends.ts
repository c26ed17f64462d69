import type { Eol } from '../contract/eol.ts'
import type { ReceivedFreshnessItem } from '../contract/received/cluster-report.ts'
import { supportSoonDays } from '../contract/thresholds.ts'
import type { UnixSeconds } from '../util/time.ts'
import { count } from '../util/words.ts'
import { safe, say } from './said.ts'
import { endsSoon } from './support.ts'

interface SupportEnd {
  item: ReceivedFreshnessItem
  eol: Eol
}

/** Artifacts whose support has ended or ends soon, and Kubernetes in any case: ended first, then by day. `said`: caption. */
export function supportEnds(items: readonly ReceivedFreshnessItem[], now: UnixSeconds) {
  const dated = items.flatMap((item) => (item.eol ? [{ item, eol: item.eol }] : []))
  if (dated.length === 0)
    return { rows: [], said: say`The catalog knows no end of support of what runs.`, isKnown: false }
  const rows = dated
    .filter(({ item, eol }) => item.artifact_type === 'kubernetes' || eol.is_eol || endsSoon(eol, now))
    .sort((a, b) => Number(b.eol.is_eol) - Number(a.eol.is_eol) || (toDay(a) < toDay(b) ? -1 : 1))
  const known = say`Known for ${dated.length} of ${safe(count(items.length, 'artifact'))}.`
  const soon = safe(`within ${supportSoonDays} days`)
  const said =
    rows.length === 0
      ? say`No known support has ended or ends ${soon}. ${known}`
      : say`Ended, or ending ${soon}. ${known}`
  return { rows, said, isKnown: true }
}

/** Unknown days sort last. */
const toDay = ({ eol }: SupportEnd) => eol.date ?? '9'
