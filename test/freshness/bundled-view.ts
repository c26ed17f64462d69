import { builtIn } from '../../src/catalog/bundle.ts'
import { type BundledHistory, bundledCatalog } from '../../src/catalog/bundled.ts'
import { bundledCatalogDate } from '../../src/catalog/date.ts'
import { managedFacts } from '../../src/catalog/managed.ts'
import { bundledExploited, bundledStateFacts } from '../../src/catalog/state-facts.ts'
import type { KnownAdvisory } from '../../src/freshness/affected.ts'
import type { CatalogView } from '../../src/freshness/catalog-view.ts'
import { StateFacts } from '../../src/freshness/facts/state-facts.ts'
import { bundledProjects } from '../helpers/bundled-catalog.ts'
import { bundledEnd } from './catalog.ts'

/** As of the store: with what is known to be exploited. */
function bundledAdvisories(): Map<string, KnownAdvisory[]> {
  const { exploited } = bundledExploited()
  const lists = Object.entries(bundledCatalog().advisories).map(([slug, facts]): [string, KnownAdvisory[]] => [
    slug,
    facts!.advisories.map(([id, aliases, severity, score, published, , affected]) => {
      const found = [id, ...aliases].flatMap((one) => exploited.get(one) ?? [])[0]
      return {
        id,
        aliases,
        severity,
        score,
        publishedAt: published === null ? null : Date.parse(published) / 1000,
        ranges: affected.map(([introduced, fixed = null, last_affected = null]) => ({
          introduced,
          fixed,
          last_affected,
        })),
        ...(found && { exploited: found }),
      }
    }),
  ])
  return new Map(lists)
}

function chartDays(charts: BundledHistory['charts'] = {}, day?: string) {
  const all = Object.entries(charts)
  return {
    chartsCompleteSince: Object.fromEntries(all.map(([name, known]) => [name, known.complete_since])),
    chartsKnownUntil: Object.fromEntries(all.map(([name, known]) => [name, day ?? known.known_until])),
  }
}

/**
 * The bundled catalog; `slugs` tells afterwards which id is whose. Without advisories, steps rest on releases alone.
 * `knownUntil` is the day of all releases, where their own days are not the subject.
 */
export function bundledView(
  slugs: Map<number, string>,
  { advisories = false, ...given }: { advisories?: boolean; knownUntil?: string } = {},
): CatalogView {
  const all = bundledProjects()
  const known = advisories ? bundledAdvisories() : new Map<string, KnownAdvisory[]>()
  const since = bundledCatalog().advisories
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
      completeSince: project.history?.complete_since ?? undefined,
      knownUntil: given.knownUntil ?? project.history?.known_until ?? undefined,
      ...chartDays(project.history?.charts, given.knownUntil),
      hasAdvisories: known.has(project.slug),
      advisoriesSince: since[project.slug]?.since,
    }
  })
  const releasesFor = (id: number) =>
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
    releasesFor,
    advisoriesFor: (id) => known.get(all[id - 1]!.slug),
    endOfLifeFor: bundledEnd,
    managed: managedFacts(builtIn),
    facts: new StateFacts(bundledStateFacts()),
  }
}
