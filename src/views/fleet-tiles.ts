import type { FleetCluster, FleetSummary } from '../contract/cluster.ts'
import { supportSoonDays } from '../contract/thresholds.ts'
import { kubernetesSupport } from '../lifecycle/kubernetes-support.ts'
import { supportKind } from '../lifecycle/support-text.ts'
import { formatDay, type UnixSeconds } from '../util/time.ts'
import { count, number } from '../util/words.ts'
import type { ImpactProject } from './impact-projects.ts'
import { joined, named, type Said, safe, say } from './said.ts'
import type { Figure } from './view.ts'

interface Fleet {
  items: Pick<FleetCluster, 'kubernetes_version' | 'provider' | 'freshness'>[]
  summary: FleetSummary
}

/** Number of clusters by most urgent reason. */
export function urgentTiles({ summary }: Fleet): Figure[] {
  const ofNow = summary.now?.attention ?? summary.attention
  const tile = (key: string, title: string, reasons: string[]): Figure => {
    // A cluster may have several reasons; each tile combines mutually exclusive ones.
    const clusters = reasons.reduce((sum, reason) => sum + (ofNow[reason] ?? 0), 0)
    return {
      key,
      title,
      value: [safe(count(clusters, 'cluster'))],
      data: clusters,
      tone: clusters > 0 ? 'bad' : 'soft',
      more: summary.pending > 0 ? [safe(`${number(summary.pending)} not known yet`, 'warn')] : [],
    }
  }
  return [
    tile('new_critical', 'New critical', ['new_critical']),
    tile('silent', 'Silent', ['overdue', 'no_scan']),
    tile('exploited', 'Exploited', ['exploited']),
  ]
}

/** The next Kubernetes version whose support ends, and the number of versions without support or with a near end. */
export function supportTile({ items, summary }: Fleet, now: UnixSeconds): Figure {
  const today = formatDay(now)
  const ends = items.flatMap(({ kubernetes_version: version, provider }) => {
    const support = kubernetesSupport({ version, provider, today }).eol
    if (!support?.date || support.is_eol) return []
    return [{ cycle: support.cycle, date: support.date, kind: supportKind(support) }]
  })
  const [next] = ends.toSorted((a, b) => a.date.localeCompare(b.date))
  const sumOf = (key: 'ended' | 'ending') => items.reduce((sum, { freshness }) => sum + (freshness?.[key] ?? 0), 0)
  const [ended, ending] = [sumOf('ended'), sumOf('ending')]
  return {
    key: 'support',
    title: 'Next end of support',
    value: next ? say`Kubernetes ${named('version', next.cycle)}` : [safe(items.length > 0 ? 'none known' : 'n/a')],
    data: next?.date ?? null,
    more: joined(
      [
        ...(next ? [say`${safe(next.kind)} on ${safe(next.date)}`] : []),
        ...(ended > 0 ? [[safe(`${count(ended, 'version')} out of support`, 'bad')]] : []),
        ...(ending > 0 ? [[safe(`${ending} within ${supportSoonDays} days`, 'warn')]] : []),
        // The remaining clusters are on other pages.
        ...(items.length < summary.clusters ? [[safe(`of the ${count(items.length, 'cluster')} below`)]] : []),
      ] satisfies Said[],
      ', ',
    ),
  }
}

const mostSteps = 3

/** `Redis to 7.4.9`: steps for the projects with the worst advisories. */
export function stepsToTake(projects: ImpactProject[]): Said[] {
  return projects
    .filter(({ steps }) => steps.length > 0)
    .slice(0, mostSteps)
    .map(({ product_id, product_name, clusters, steps: [step] }) => {
      const link = { page: 'project' as const, product_id }
      const where = safe(` in ${count(clusters.length, 'cluster')}`, 'soft')
      return say`${named('artifact', product_name, { link })} to ${named('version', step!)}${where}`
    })
}
