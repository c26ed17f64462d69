import type { ReceivedFreshnessItem } from '../contract/received/cluster-report.ts'

type Described = Pick<
  ReceivedFreshnessItem,
  'artifact_type' | 'advisories' | 'advisories_count' | 'advisories_undecided' | 'fixed_in'
>

/**
 * The worst advisories and the smallest upgrade without them: `2 critical → 2.45.6`. `none` if none affects it, `?` if
 * unknown, empty for a chart, whose version does not state its app's.
 */
export function advisoryWord(item: Described): string {
  if (item.artifact_type === 'helm_chart') return ''
  const { advisories, advisories_count: count, fixed_in } = item
  if (count === null) return '?'
  if (count === 0) return item.advisories_undecided ? `${item.advisories_undecided} ?` : 'none'
  const worst = advisories?.[0]?.severity ?? null
  const same = advisories?.filter(({ severity }) => severity === worst).length ?? count
  // Single fixes can be known while no version is free of all advisories.
  const none = advisories?.some((advisory) => advisory.fixed_in !== null) ? 'no clean version' : 'no fix'
  return `${same} ${worst ?? 'unrated'} → ${fixed_in ?? none}`
}
