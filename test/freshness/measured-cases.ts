import { bundledProjects } from '../../src/catalog/bundled.ts'
import { bundledCatalogDate } from '../../src/catalog/date.ts'
import type { CatalogView } from '../../src/freshness/catalog-view.ts'
import { assessFreshness, knownBy } from '../../src/freshness/index.ts'
import { parseTimestamp } from '../../src/util/time.ts'
import file from './cases.json' with { type: 'json' }
import { bundledEnd } from './catalog.ts'

/** What an image is and how it stands, by facts that were written down apart from the program. */
interface Case {
  image: string
  /** Slug; null for what no project publishes. */
  project: string | null
  status: string
  /** Of the project, in bare numbers, where the case says it. */
  newest?: string
  why: string
}

export interface Measured extends Case {
  isRight: boolean
  /** It names a status and is at least so sure that people act on it. */
  isConfident: boolean
  answer: string
}

const confident = 0.8

/** Every case, each assessed in a cluster of its own against the bundled catalog of the cases' day. */
export function measureCases(): Measured[] {
  const asOf = parseTimestamp(file.as_of)!
  const slugs = new Map<number, string>()
  const catalog = knownBy(asOf, bundledView(slugs))
  const place = { namespace: 'a', workload: 'deployment/w', helmChart: null, helmRelease: null }
  const nothing = { charts: [], apps: [], kubernetesVersion: null, imageSource: 'artifacts' as const }
  return (file.cases as Case[]).map((one) => {
    const images = [{ reference: one.image, ...place }]
    const [item] = assessFreshness({ images, ...nothing }, catalog, { now: asOf })
    const { status, confidence, source_product_id, global_latest_version, reason } = item!
    const slug = source_product_id === null ? null : slugs.get(source_product_id)
    const isNewestRight = !one.newest || global_latest_version?.replace(/^v/, '').startsWith(one.newest) === true
    return {
      ...one,
      isRight: status === one.status && (status === 'unknown' || slug === one.project) && isNewestRight,
      isConfident: status !== 'unknown' && confidence >= confident,
      answer: `${slug} ${status} ${global_latest_version} ${confidence}: ${reason}`,
    }
  })
}

/** Precision of confident answers, and the share of images of a project with a status that were told rightly. */
export function figuresOf(measured: Measured[]): { precision: number; recall: number } {
  const sure = measured.filter(({ isConfident }) => isConfident)
  const tellable = measured.filter(({ project, status }) => project !== null && status !== 'unknown')
  const share = (all: Measured[]) => all.filter(({ isRight }) => isRight).length / all.length
  return { precision: share(sure), recall: share(tellable) }
}

function bundledView(slugs: Map<number, string>): CatalogView {
  const all = bundledProjects()
  const projects = all.map((project, index) => {
    slugs.set(index + 1, project.slug)
    return {
      id: index + 1,
      slug: project.slug,
      name: project.name,
      repoUrl: project.repo_url,
      helmChartRepo: project.helm_chart_repo,
      imageRepositories: project.image_repositories,
      chartNames: project.helm_chart_names,
      tagPattern: project.tag_pattern,
    }
  })
  const releasesOf = (id: number) =>
    all[id - 1]!.releases.map(({ version, type, chartName, publishedAt }, index) => ({
      id: index + 1,
      version,
      type,
      chartName,
      publishedAt,
      hasSecurityFix: false,
      severity: 'none' as const,
    }))
  return { date: bundledCatalogDate, projects, releasesOf, endOfLifeOf: bundledEnd }
}
