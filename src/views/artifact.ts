import { severities } from '../contract/choices.ts'
import type { FreshnessStatus } from '../contract/freshness.ts'
import type { ReceivedFreshnessItem } from '../contract/received/cluster-report.ts'
import type { ArtifactState } from '../contract/step.ts'
import { hasState } from '../lifecycle/has-state.ts'
import type { Tone } from './said.ts'
import { hasBadState, stateWords } from './state.ts'
import { titles } from './titles.ts'

type Judged = Pick<ReceivedFreshnessItem, 'status' | 'states' | 'vendor_component'>

/** States that matter more than whether an artifact is outdated, most urgent first. */
const telling: readonly ArtifactState[] = ['compromised', 'withdrawn', 'retired', 'frozen', 'moved']

/** `urgency`: higher is more urgent. */
export const statusViews: Record<FreshnessStatus, { word: string; title: string; tone: Tone; urgency: number }> = {
  major_behind: { word: 'major', title: 'A major version behind', tone: 'bad', urgency: 3 },
  minor_behind: { word: 'minor', title: 'A minor version behind', tone: 'warn', urgency: 2 },
  unknown: { word: 'unknown', title: 'Unknown', tone: 'soft', urgency: 1 },
  up_to_date: { word: 'current', title: titles.current, tone: 'good', urgency: 0 },
}

/** The state shown instead of the status; undefined if the status suffices. */
export function shownState(item: Judged): ArtifactState | undefined {
  const found = telling.find((state) => hasState(item, state))
  if (found) return found
  if (item.status === 'unknown' && hasState(item, 'above_known')) return 'above_known'
  return item.status === 'up_to_date'
    ? (['unsupported', 'old_facts'] as const).find((one) => hasState(item, one))
    : undefined
}

/** No newer release is known, but the facts are too old to call it current. */
export const isNewestKnown = (item: Judged) => shownState(item) === 'old_facts'

/** The status in one word. A component of a managed offering has no status, because there is nothing to compare. */
export function statusWord(item: Judged): string {
  const state = shownState(item)
  if (state) return stateWords[state]
  return item.vendor_component ? 'managed' : statusViews[item.status].word
}

/** An artifact in any such state is never green. */
export function statusTone(item: Judged): Tone {
  const state = shownState(item)
  if (state === undefined) return statusViews[item.status].tone
  if (state === 'above_known' || state === 'old_facts') return 'soft'
  return state === 'frozen' || state === 'moved' ? 'warn' : 'bad'
}

type Weighed = Judged &
  Pick<ReceivedFreshnessItem, 'advisories_count' | 'advisories_exploited' | 'highest_advisory_severity' | 'eol'>

/** Higher is more urgent: compromised artifacts first, then exploited vulnerabilities, then advisories and support. */
function urgencyFor(item: Weighed) {
  return (
    (hasState(item, 'compromised') ? 1000 : 0) +
    ((item.advisories_exploited ?? 0) > 0 ? 100 : 0) +
    // `critical` is 40, and so on; unrated has the lowest weight.
    (isAffected(item) ? Math.max(5, 10 * severities.indexOf(item.highest_advisory_severity ?? 'none')) : 0) +
    (hasState(item, 'withdrawn') ? 25 : 0) +
    (item.eol?.is_eol || hasState(item, 'retired') ? 15 : 0) +
    statusViews[item.status].urgency
  )
}

export const byUrgency = (a: Weighed, b: Weighed) => urgencyFor(b) - urgencyFor(a)

/** Whether an advisory is known to affect the running version. */
export const isAffected = ({ advisories_count }: Pick<ReceivedFreshnessItem, 'advisories_count'>) =>
  (advisories_count ?? 0) > 0

/** Outdated, affected, out of support, or in a bad state. */
export const needsAttention = (item: Weighed) =>
  item.status === 'major_behind' ||
  item.status === 'minor_behind' ||
  isAffected(item) ||
  item.eol?.is_eol === true ||
  hasBadState(item)

/** Artifacts that need attention, most urgent first; then unknown and current ones. */
export const sortByUrgency = <Item extends Weighed>(items: Item[]): Item[] =>
  items.toSorted((a, b) => Number(needsAttention(b)) - Number(needsAttention(a)) || byUrgency(a, b))

/** Whether its status is undetermined; components of a managed offering do not count. */
export const isOpen = (item: Judged) => item.status === 'unknown' && !item.vendor_component
