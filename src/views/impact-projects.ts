import type { ImpactItem } from '../contract/impact.ts'
import { type Rated, ratedText } from '../contract/rating-text.ts'
import { bySeverity } from '../contract/severity-rank.ts'
import { hasStep, impactText } from '../lifecycle/step-text.ts'
import { listed } from '../util/words.ts'
import { ratingTone } from './advisory.ts'
import { clusterText } from './finding.ts'
import { certaintyTone, doubt, ratingFor } from './impact.ts'
import type { Reveals } from './said.ts'
import { columnsOf, optional } from './view.ts'

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
  return [...Map.groupBy(items, ({ product_id }) => product_id).values()].map((all) => ({
    product_id: all[0]!.product_id,
    product_name: all[0]!.product_name,
    rated: worstOf(all),
    isCertain: all.some(({ is_certain }) => is_certain),
    versions: unique(all.map((item) => `${item.current_version ?? 'unknown'}${doubt(item)}`)),
    steps: stepTexts(all.filter(hasStep)),
    noSteps: stepTexts(all.filter((item) => !hasStep(item))),
    clusters: unique(all.map(clusterText)),
  }))
}

const unique = (texts: string[]) => [...new Set(texts)]
const stepTexts = (items: ImpactItem[]) => unique(items.map((item) => impactText(item, false)))

function worstOf(items: ImpactItem[]): Rated | undefined {
  const rated = items.flatMap((item) => ratingFor(item) ?? [])
  const [worst] = rated.toSorted(bySeverity)
  return worst && { ...worst, exploited: rated.some(({ exploited }) => exploited) }
}

export const impactProjectColumns = Object.values(
  columnsOf<ImpactProject>()({
    project: {
      reveals: 'artifact',
      min: 10,
      cut: true,
      text: ({ product_name }) => product_name,
      tone: () => 'strong',
      link: ({ product_id }) => ({ page: 'project', product_id }),
    },
    severity: {
      reveals: 'safe',
      text: ({ rated }) => optional(rated, ratedText),
      tone: ({ rated }) => (rated ? ratingTone(rated.severity) : undefined),
    },
    runs: listOf('version', 10, ({ versions }) => versions),
    upgrade_to: {
      ...listOf('safe', 12, ({ steps, noSteps }) => [...steps, ...noSteps]),
      tone: ({ isCertain }) => certaintyTone({ is_certain: isCertain }),
    },
    clusters: listOf('cluster', 14, ({ clusters }) => clusters),
  }),
)

/** The first texts, and the number of others. */
function listOf(reveals: Reveals, min: number, of: (project: ImpactProject) => string[]) {
  const brief = (project: ImpactProject) => {
    const [first, ...others] = of(project)
    return others.length > 0 ? `${first} +${others.length}` : (first ?? null)
  }
  return { reveals, min, cut: true, brief, text: (project: ImpactProject) => listed(of(project), 3) }
}
