import { offeringNames } from '../contract/choices.ts'
import { ratingText } from '../contract/rating-text.ts'
import type { ReceivedFreshnessItem } from '../contract/received/cluster-report.ts'
import { countAdvisories } from '../contract/step.ts'
import { countsText, isNone } from '../lifecycle/step-text.ts'
import type { Tone } from './said.ts'

type Described = Pick<
  ReceivedFreshnessItem,
  | 'artifact_type'
  | 'advisories'
  | 'advisories_count'
  | 'advisories_undecided'
  | 'fixed_in'
  | 'steps'
  | 'step_reasons'
  | 'managed_by'
>

/**
 * Urgent advisories with the step that fixes them, and those that remain: `2 critical, 8 high → 7.4.9; 1 low → 8.2.6`.
 * `none` if no advisory affects it, `?` if unknown, empty for a chart, whose version is not its app's.
 */
export function advisoryWord(item: Described) {
  if (item.artifact_type === 'helm_chart') return ''
  const { advisories, advisories_count: count, advisories_undecided, steps } = item
  if (count === null) return '?'
  if (count === 0) return advisories_undecided ? `${advisories_undecided} ?` : 'none'
  const all = countAdvisories(advisories ?? [])
  if (!steps || isNone(all)) return withoutSteps(item, count)
  const { urgent, clean } = steps
  const target = clean?.version ?? whyNone(item)
  if (!urgent || isNone(urgent.fixes) || isNone(urgent.leaves)) {
    return `${countsText(all)} → ${urgent && isNone(urgent.leaves) ? urgent.version : target}`
  }
  const { fixes, leaves } = urgent
  const first = countsText(fixes, ['critical', 'high']) || countsText(fixes)
  return `${first} → ${urgent.version}; ${countsText(leaves)} → ${target}`
}

/** Red if the advisories are urgent. */
export function advisoryTone(item: Toned): Tone | undefined {
  if ((item.advisories_count ?? 0) === 0) return 'soft'
  const { highest_advisory_severity: worst, advisories_exploited: exploited } = item
  return worst === 'critical' || worst === 'high' || (exploited ?? 0) > 0 ? 'bad' : 'warn'
}

type Toned = Pick<ReceivedFreshnessItem, 'advisories_count' | 'highest_advisory_severity' | 'advisories_exploited'>

function whyNone({ managed_by, step_reasons, ...item }: Described) {
  if (managed_by) return `upgrade of ${offeringNames[managed_by] ?? managed_by}`
  return step_reasons?.length ? 'no step' : noneWord(item)
}

/** Some advisories may have a fix while no version is free of all. */
function noneWord({ advisories }: Pick<Described, 'advisories'>): string {
  return advisories?.some((advisory) => advisory.fixed_in !== null) ? 'no clean version' : 'no fix'
}

/** For servers that do not return steps. */
function withoutSteps({ advisories, fixed_in }: Described, count: number) {
  const worst = advisories?.[0]?.severity ?? null
  const same = advisories?.filter(({ severity }) => severity === worst).length ?? count
  return `${same} ${ratingText(worst)} → ${fixed_in ?? noneWord({ advisories })}`
}
