import type { ImpactItem } from '../contract/impact.ts'
import { bySeverity } from '../contract/severity-rank.ts'
import { listed } from '../util/words.ts'
import { type Rated, ratedText, ratingTone } from './advisory.ts'
import { clusterText } from './finding.ts'
import { certaintyTone, doubt, ratingFor } from './impact.ts'
import { hasStep, impactText } from './step.ts'
import { titled } from './titles.ts'
import type { ViewColumn } from './view.ts'

/** Affected artifacts of one project in all clusters. */
export interface ImpactProject extends Pick<ImpactItem, 'product_id' | 'product_name'> {
  rated: Rated | undefined
  /** At least one version is known, and affected. */
  isCertain: boolean
  versions: string[]
  /** Recommended target versions. */
  steps: string[]
  /** Reasons why others have no step. */
  noSteps: string[]
  clusters: string[]
}

/** One entry per project, most severe first. */
export function groupImpact(items: ImpactItem[]): ImpactProject[] {
  const projects = Map.groupBy(items, ({ product_id }) => product_id)
  return [...projects.values()].map((all) => ({
    ...{ product_id: all[0]!.product_id, product_name: all[0]!.product_name, rated: worstOf(all) },
    isCertain: all.some(({ is_certain }) => is_certain),
    versions: unique(all.map((item) => `${item.current_version ?? 'unknown'}${doubt(item)}`)),
    steps: stepTexts(all.filter(hasStep)),
    noSteps: stepTexts(all.filter((item) => !hasStep(item))),
    clusters: unique(all.map(({ cluster_name, environment }) => clusterText(cluster_name, environment))),
  }))
}

const unique = (texts: string[]): string[] => [...new Set(texts)]
const stepTexts = (items: ImpactItem[]): string[] => unique(items.map((item) => impactText(item, false)))

function worstOf(items: ImpactItem[]): Rated | undefined {
  const rated = items.flatMap((item) => ratingFor(item) ?? [])
  const [worst] = rated.toSorted(bySeverity)
  return worst && { ...worst, exploited: rated.some(({ exploited }) => exploited) }
}

/** The first text, and the number of others. */
function firstOf([first, ...others]: string[]): string | null {
  return others.length > 0 ? `${first} +${others.length}` : (first ?? null)
}

export const impactProjectColumns: ViewColumn<ImpactProject>[] = [
  {
    ...{ ...titled('project'), reveals: 'artifact', width: { min: 10, cut: true } },
    text: ({ product_name }) => product_name,
    tone: () => 'strong',
    link: ({ product_id }) => ({ page: 'project', product_id }),
  },
  {
    ...{ ...titled('severity'), reveals: 'safe' },
    text: ({ rated }) => (rated ? ratedText(rated) : null),
    tone: ({ rated }) => (rated ? ratingTone(rated.severity) : undefined),
  },
  {
    ...{ ...titled('runs'), reveals: 'version', width: { min: 10, cut: true } },
    text: ({ versions }) => listed(versions, 3),
    brief: ({ versions }) => firstOf(versions),
  },
  {
    ...{ ...titled('upgrade_to'), reveals: 'safe', width: { min: 12, cut: true } },
    text: ({ steps, noSteps }) => listed([...steps, ...noSteps], 3),
    brief: ({ steps, noSteps }) => firstOf([...steps, ...noSteps]),
    tone: ({ isCertain }) => certaintyTone({ is_certain: isCertain }),
  },
  {
    ...{ ...titled('clusters'), reveals: 'cluster', width: { min: 14, cut: true } },
    text: ({ clusters }) => listed(clusters, 3),
    brief: ({ clusters }) => firstOf(clusters),
  },
]
