import type { FleetStep, FleetUpgrade, PlannedCluster } from '../contract/upgrade-fleet.ts'
import { countsText, isNone } from '../lifecycle/step-text.ts'
import { capital, count } from '../util/words.ts'
import { joined, named, plainText, type Said, safe, say } from './said.ts'
import { slashedCluster } from './scan.ts'
import { titles } from './titles.ts'
import {
  breaksSaid,
  countedVerdict,
  kubeletLines,
  ownerLines,
  stepColumns,
  stepTitle,
  verdictTones,
  whenWords,
} from './upgrade.ts'
import { verdictWords } from './upgrade-text.ts'
import { columnsOf, type ViewColumn } from './view.ts'

const verdicts = ['blocked', 'undetermined', 'warnings', 'ready'] as const

/** `12 clusters: 2 BLOCKED, 10 READY` */
export function fleetVerdict({ summary, not_planned }: FleetUpgrade): Said {
  const counts = verdicts.filter((verdict) => summary[verdict] > 0)
  const said = counts.map(
    (verdict) => say`${safe(`${summary[verdict]} ${verdictWords[verdict]}`, verdictTones[verdict])}`,
  )
  const without = not_planned.length > 0 ? [say`${safe(`${not_planned.length} without a report`, 'warn')}`] : []
  return say`${safe(count(summary.clusters, 'cluster'))}: ${joined([...said, ...without], ', ')}`
}

export const plannedColumns: ViewColumn<PlannedCluster>[] = Object.values(
  columnsOf<PlannedCluster>()({
    cluster: {
      reveals: 'cluster',
      min: 12,
      tone: () => 'strong',
      text: ({ cluster_name, environment }) => `${cluster_name}/${environment}`,
    },
    way: { title: titles.kubernetes, text: ({ from, to }) => `${from ?? '?'} → ${to}`, reveals: 'version' },
    verdict: {
      reveals: 'safe',
      data: ({ verdict }) => verdict,
      tone: ({ verdict }) => verdictTones[verdict],
      text: ({ verdict, total }) => plainText(countedVerdict(verdict, total)),
    },
    steps: {
      title: 'Steps',
      reveals: 'safe',
      align: 'right',
      text: ({ steps }) => String(steps),
      data: ({ steps }) => steps,
    },
    why: {
      title: titles.reason,
      reveals: 'artifact',
      min: 24,
      text: ({ reasons: [first], total }) =>
        first ? `${first.says}${total > 1 ? ` And ${count(total - 1, 'more reason')}.` : ''}` : null,
    },
  }),
)

/** Cells as in the plan of one cluster; the last two columns summarize all clusters. */
export const fleetStepColumns: ViewColumn<FleetStep>[] = [
  ...(stepColumns.filter(({ key }) => key !== 'why') as unknown as ViewColumn<FleetStep>[]),
  ...Object.values(
    columnsOf<FleetStep>()({
      fixes: { title: 'Fixes', text: ({ fixes }) => (isNone(fixes) ? null : countsText(fixes)), reveals: 'safe' },
      clusters: {
        reveals: 'cluster',
        min: 16,
        data: ({ clusters }) => clusters.length,
        text: (step) => {
          const { length } = step.clusters
          const first = step.clusters.slice(0, 3)
          const names = first.map((each) => `${each.cluster_name}/${each.environment}${hopText(each, step)}`)
          return `${length}: ${names.join(', ')}${length > 3 ? ', …' : ''}`
        },
      },
    }),
  ),
]

/** ` (before Kubernetes 1.34)` for a cluster that needs the step at another hop than the first cluster. */
function hopText({ hop, when }: FleetStep['clusters'][number], step: FleetStep) {
  if (hop === step.hop && when === step.when) return ''
  return hop === null ? ' (now)' : ` (${whenWords[when]} ${hop})`
}

/** `Before Kubernetes 1.34` */
export function fleetGroup({ hop, when }: FleetStep) {
  if (hop === null) return 'Now'
  return when === 'before' || when === 'after' ? `${capital(whenWords[when])} ${hop}` : `Kubernetes ${hop} and nodes`
}

const mostClusters = 8

/** For narrow screens: blocking or undecided reasons, each once with its clusters. */
export function decidingLines(clusters: readonly PlannedCluster[]): Said[] {
  const reasons = clusters
    .filter(({ verdict }) => verdict === 'blocked' || verdict === 'undetermined')
    .flatMap(({ reasons, ...cluster }) => reasons.map(({ says }) => ({ says, cluster })))
  return [...Map.groupBy(reasons, ({ says }) => says)].map(([says, same]) => {
    const names = same.slice(0, mostClusters).map(({ cluster }) => slashedCluster(cluster))
    return say`${shortList(names, same.length)}: ${named('artifact', says)}`
  })
}

function shortList(names: Said[], total: number) {
  const rest = total - names.length
  return joined([...names, ...(rest > 0 ? [say`${safe(`${rest} more`)}`] : [])], ', ')
}

/** A step in lines: what is upgraded, what it breaks and fixes, and where. */
export function fleetStepLines(step: FleetStep): Said[] {
  const { kind, fixes, clusters } = step
  const more = [
    ...(kind === 'part' ? [breaksSaid(step)] : []),
    ...(isNone(fixes) ? [] : [say`fixes ${countsText(fixes)}`]),
  ]
  const names = clusters
    .slice(0, mostClusters)
    .map((each) => say`${slashedCluster(each)}${named('version', hopText(each, step))}`)
  return [
    more.length === 0 ? stepTitle(step) : say`${stepTitle(step)}  ${joined(more, ', ')}`,
    ...kubeletLines(step).map((line) => say`${named('version', line)}`),
    ...ownerLines(step),
    say`${safe(count(clusters.length, 'cluster'))}: ${shortList(names, clusters.length)}`,
  ]
}
