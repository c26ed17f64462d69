import { bundledCatalogDate } from '../../src/catalog/date.ts'
import { bundledManagedFacts } from '../../src/catalog/managed.ts'
import type { CatalogView } from '../../src/freshness/catalog-view.ts'
import { bundledProjects } from '../helpers/bundled-catalog.ts'
import { bundledEnd } from './catalog.ts'

/** The bundled catalog; `slugs` tells afterwards which id is whose. */
export function bundledView(slugs: Map<number, string>): CatalogView {
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
      completeSince: project.history?.[0] ?? undefined,
      chartsCompleteSince: project.history?.[2] ?? {},
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
  return {
    date: bundledCatalogDate,
    projects,
    releasesOf,
    advisoriesOf: () => undefined,
    endOfLifeOf: bundledEnd,
    managed: bundledManagedFacts(),
  }
}
