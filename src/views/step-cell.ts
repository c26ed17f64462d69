import { offeringNames } from '../contract/choices.ts'
import type { ReceivedFreshnessItem } from '../contract/received/cluster-report.ts'
import { effectText, stepNotes, stepToTake, wayText } from '../lifecycle/step-text.ts'
import { isNewestKnown } from './artifact.ts'
import { hasBadState } from './state.ts'

/** The recommended step, or why there is none. */
export function stepCell(item: ReceivedFreshnessItem) {
  const { managed_by, steps, step_reasons, advisories_count } = item
  if (managed_by) return `the upgrade of ${offeringNames[managed_by] ?? managed_by}`
  if (!steps) return withoutSteps(item)
  const step = stepToTake(item)
  if (step) return advisories_count === null ? `${wayText(step)}, advisories unknown` : wayText(step)
  return step_reasons?.[0] ?? noneText(item)
}

/** How the recommended step affects advisories, and remarks about it; empty if there are none. */
export function stepNote(item: ReceivedFreshnessItem) {
  const step = item.steps ? stepToTake(item) : undefined
  if (!step || item.managed_by) return ''
  const effect = effectText(step, item.steps!.clean)
  return [...(effect === '' ? [] : [`${effect}.`]), ...stepNotes(step)].join(' ')
}

function noneText(item: ReceivedFreshnessItem): string {
  if ((item.advisories_count ?? 0) > 0) return 'no release is free of known advisories'
  if (item.status !== 'up_to_date') return 'none is known'
  if (item.eol?.is_eol) return 'no supported release is known'
  return hasBadState(item) || isNewestKnown(item) ? 'no newer release is known' : 'none is newer'
}

/** For servers that do not return steps. */
function withoutSteps(item: ReceivedFreshnessItem) {
  const { advisories_count, fixed_in_line, fixed_in, same_line_version, latest_version } = item
  if ((advisories_count ?? 0) > 0) return fixed_in_line ?? fixed_in ?? noneText(item)
  if (item.status === 'up_to_date') return noneText(item)
  const version = same_line_version ?? latest_version
  if (version === null) return 'none is known'
  return advisories_count === null ? `${version}, advisories unknown` : version
}
