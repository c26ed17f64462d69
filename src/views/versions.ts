import type { ClusterDifference, ClusterVersion, ClusterVersions } from '../contract/cluster.ts'
import { wayText } from '../lifecycle/step-text.ts'
import type { UnixSeconds } from '../util/time.ts'
import { count, listed } from '../util/words.ts'
import { shownState, statusTone, statusWord } from './artifact.ts'
import { clusterText } from './finding.ts'
import { staleGaps } from './impact.ts'
import { type Said, safe, say, type Tone } from './said.ts'
import { stateWords } from './state.ts'
import { columnsOf, optional, type ViewVerdict } from './view.ts'

/** A version in a cluster, with all its artifacts. */
export interface ShownVersion extends ClusterVersion {
  artifacts?: Pick<ClusterVersion, 'name' | 'artifact_type'>[]
}

/** Merges a chart and its images of one version in one cluster into a line, if they differ only in their names. */
export function foldedVersions(items: readonly ClusterVersion[]): ShownVersion[] {
  const alike = Map.groupBy(items, ({ name: _, artifact_type: __, count: ___, ...same }) => JSON.stringify(same))
  return [...alike.values()].map((same) => ({
    ...same[0]!,
    count: Math.max(...same.map((item) => item.count)),
    artifacts: same,
  }))
}

/** `argo-cd (chart)`, or `chart, 2 images` */
function artifactsText(artifacts: Pick<ClusterVersion, 'name' | 'artifact_type'>[]) {
  const [{ name, artifact_type }] = artifacts as [ClusterVersion]
  if (artifacts.length === 1) return artifact_type === 'helm_chart' ? `${name} (chart)` : name
  const kinds = Map.groupBy(artifacts, (one) => (one.artifact_type === 'helm_chart' ? 'chart' : one.artifact_type))
  return [...kinds].map(([kind, { length }]) => (length === 1 ? kind : count(length, kind))).join(', ')
}

/** The version, with a state that matters more than its age. */
function versionText(item: ClusterVersion) {
  const state = shownState(item)
  return `${item.version ?? 'unknown'}${state ? ` (${stateWords[state]})` : ''}`
}

export const versionColumns = columnsOf<ShownVersion>()({
  cluster: {
    text: ({ cluster_name }) => cluster_name,
    reveals: 'cluster',
    tone: () => 'strong',
    link: ({ cluster_id }) => ({ page: 'cluster', cluster_id }),
    min: 10,
  },
  environment: { text: ({ environment }) => environment, reveals: 'environment', min: 4 },
  version: { text: versionText, tone: statusTone, reveals: 'version', min: 8 },
  status: { text: statusWord, data: ({ status }) => status, tone: statusTone, reveals: 'safe' },
  step: { text: ({ step }) => (step ? wayText(step) : ''), reveals: 'safe', min: 8 },
  artifact: {
    reveals: 'artifact',
    min: 18,
    cut: true,
    text: ({ artifacts, ...item }) => artifactsText(artifacts ?? [item]),
  },
  releases_behind: {
    reveals: 'safe',
    align: 'right',
    text: ({ releases_behind }) => optional(releases_behind, String),
  },
  days_behind: { reveals: 'safe', align: 'right', from: 90, text: ({ days_behind }) => optional(days_behind, String) },
  workloads: { text: (item) => String(item.count), reveals: 'safe', align: 'right', from: 110 },
  scanned: { text: ({ seen_at }) => seen_at, as: 'time', reveals: 'safe', from: 76 },
})

/** Tone for one of two clusters that run a project. */
export const sideTone = ({ difference }: ClusterDifference, side: 'from' | 'to'): Tone | undefined =>
  difference === `${side}_behind` ? 'bad' : undefined

/** Clusters without an inventory. */
export const blindSaid = (names: string[]): Said => say`No run of ${listed(names, 10)} lists its artifacts`

/** Neither green nor red, but unknowns come first. */
export function versionsVerdict(found: ClusterVersions, now: UnixSeconds): ViewVerdict {
  const { product, summary, unknown, catalog_date } = found
  const names = unknown.map(clusterText)
  const gaps = [
    ...staleGaps(catalog_date, now),
    ...(summary.pending > 0 ? [say`The figures of ${safe(count(summary.pending, 'cluster'))} are missing`] : []),
    ...(unknown.length > 0 && summary.clusters > 0 ? [blindSaid(names)] : []),
  ]
  return {
    state: gaps.length > 0 || summary.clusters === 0 ? 'undecided' : 'stated',
    words: say`${summary.running} of ${safe(count(summary.clusters, 'cluster'))} run it`,
    more: [say`The newest release is ${product.latest_version ?? safe('unknown')}`],
    gaps,
  }
}
