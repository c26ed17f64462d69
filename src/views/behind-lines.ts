import type { ReceivedFreshnessItem } from '../contract/received/cluster-report.ts'
import { byUrgency, isBehind, shownState } from './artifact.ts'
import { nameOfItem } from './freshness-columns.ts'
import { hasBadState, stateWords } from './state.ts'
import { stepWord } from './step.ts'

type Item = ReceivedFreshnessItem

/** `redis 7.0.13 → 7.4.9`: outdated artifacts and those in a bad state, most urgent first. */
export function behindLines(items: Item[]): string[] {
  const open = items.filter((item) => isBehind(item) || hasBadState(item)).toSorted(byUrgency)
  return [...new Set(open.map(behindLine))]
}

function behindLine(item: Item): string {
  const { current_version, latest_version, steps } = item
  const state = shownState(item)
  const step = steps ? stepWord(item) || 'no step' : (latest_version ?? '?')
  return `${nameOfItem(item)} ${current_version ?? '?'}${state ? ` (${stateWords[state]})` : ''} → ${step}`
}
