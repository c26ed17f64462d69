import { severities } from '../contract/choices.ts'
import type { FreshnessStatus } from '../contract/freshness.ts'
import type { ReceivedFreshnessItem } from '../contract/received/cluster-report.ts'
import type { ArtifactState } from '../contract/step.ts'
import type { Tone } from './said.ts'
import { hasBadState, hasState, stateWords } from './state.ts'

type Judged = Pick<ReceivedFreshnessItem, 'status' | 'states' | 'vendor_component'>

/** States that say more than how far an artifact is behind, the most urgent first. */
const telling: readonly ArtifactState[] = ['compromised', 'withdrawn', 'retired', 'frozen', 'moved']

const words: Record<FreshnessStatus, string> = {
  major_behind: 'major',
  minor_behind: 'minor',
  unknown: 'unknown',
  up_to_date: 'current',
}

/** The state that is shown in place of the status; undefined where the status says all. */
export function shownState(item: Judged): ArtifactState | undefined {
  const found = telling.find((state) => hasState(item, state))
  if (found) return found
  if (item.status === 'unknown' && hasState(item, 'above_known')) return 'above_known'
  return item.status === 'up_to_date' && hasState(item, 'unsupported') ? 'unsupported' : undefined
}

/** One word. A component of an offering itself has no status, because there is nothing to compare it with. */
export function statusWord(item: Judged): string {
  const state = shownState(item)
  if (state) return stateWords[state]
  return item.vendor_component ? 'managed' : words[item.status]
}

const tones: Record<FreshnessStatus, Tone> = {
  major_behind: 'bad',
  minor_behind: 'warn',
  unknown: 'soft',
  up_to_date: 'good',
}

/** Nothing that is in a state is good. */
export function statusTone(item: Judged): Tone {
  const state = shownState(item)
  if (state === undefined) return tones[item.status]
  if (state === 'above_known') return 'soft'
  return state === 'frozen' || state === 'moved' ? 'warn' : 'bad'
}

const statusRanks: Record<FreshnessStatus, number> = { major_behind: 3, minor_behind: 2, unknown: 1, up_to_date: 0 }

type Weighed = Judged &
  Pick<ReceivedFreshnessItem, 'advisories_count' | 'advisories_exploited' | 'highest_advisory_severity' | 'eol'>

/** The greater, the more urgent: what attackers planted, what they exploit, then by advisories and support. */
function urgencyFor(item: Weighed): number {
  const isAffected = (item.advisories_count ?? 0) > 0
  return (
    (hasState(item, 'compromised') ? 1000 : 0) +
    ((item.advisories_exploited ?? 0) > 0 ? 100 : 0) +
    (isAffected ? severityWeight(item.highest_advisory_severity) : 0) +
    (hasState(item, 'withdrawn') ? 25 : 0) +
    (item.eol?.is_eol || hasState(item, 'retired') ? 15 : 0) +
    statusRanks[item.status]
  )
}

/** `critical` 40, and so on; what nobody rates weighs least. */
const severityWeight = (severity: Weighed['highest_advisory_severity']): number =>
  Math.max(5, 10 * severities.indexOf(severity ?? 'none'))

export const byUrgency = (a: Weighed, b: Weighed): number => urgencyFor(b) - urgencyFor(a)

/** Running versions that an advisory is known to affect. */
export const isAffected = ({ advisories_count }: Pick<ReceivedFreshnessItem, 'advisories_count'>): boolean =>
  (advisories_count ?? 0) > 0

export const isBehind = ({ status }: Pick<ReceivedFreshnessItem, 'status'>): boolean =>
  status === 'major_behind' || status === 'minor_behind'

/** Behind, affected, out of support, or in a state in which nothing should be. */
export const needsAttention = (item: Weighed): boolean =>
  isBehind(item) || isAffected(item) || item.eol?.is_eol === true || hasBadState(item)

/** What nobody can judge; components of an offering are its own. */
export const isOpen = (item: Judged): boolean => item.status === 'unknown' && !item.vendor_component
