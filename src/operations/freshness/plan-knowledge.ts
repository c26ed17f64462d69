import type { Db } from '../../db/open.ts'
import type { CatalogView, KnownProject } from '../../freshness/catalog-view.ts'
import { distributionFor } from '../../freshness/distribution.ts'
import { parseImageRef, repositoryFor } from '../../freshness/image-ref.ts'
import { type CatalogFacts, type LookupKeys, lookupKeys, prepareCatalog } from '../../freshness/index.ts'
import { kubernetesSupport } from '../../lifecycle/kubernetes-support.ts'
import { distributionIds } from '../../lifecycle/offering.ts'
import { offeredMinors } from '../../lifecycle/offering-cycles.ts'
import type { ImageArtifact } from '../../reports/artifact.ts'
import { findKnownProjects, findKnownProjectsById, listProjectNames } from '../../store/catalog/project.ts'
import type { NewestOn } from '../../upgrade/compatibility.ts'
import type { PlanKnowledge } from '../../upgrade/known.ts'
import { compareLines } from '../../upgrade/line.ts'
import { nameKey, namesMeant, projectsMeant } from '../../util/project-name.ts'
import { kept } from '../../util/remember.ts'
import { formatDay } from '../../util/time.ts'
import { getCatalogDate } from '../catalog/bundled.ts'
import { findCatalog, toView } from '../catalog/view.ts'
import { findKnownAdvisories } from './known-advisories.ts'
import { findUpgradeFacts } from './upgrade-facts.ts'

export interface PlanFacts extends PlanKnowledge {
  catalog: CatalogFacts
  projects: readonly KnownProject[]
}

/** Catalog facts about projects with these slugs or names, and about Kubernetes. */
export async function findPlanFacts(db: Db, typed: readonly string[], now: number): Promise<PlanFacts> {
  await getCatalogDate(db, now)
  const wanted = new Set([
    ...typed.flatMap((name) => [name, ...namesMeant(name)]).map(nameKey),
    'kubernetes',
    ...distributionIds,
  ])
  const named = (await listProjectNames(db)).filter(({ slug, name }) => wanted.has(slug) || wanted.has(nameKey(name)))
  const keys = new Set(named.flatMap(({ slug, name }) => [slug, nameKey(name)]))
  const others = typed.filter((name) => ![name, ...namesMeant(name)].some((one) => keys.has(nameKey(one))))
  const published = others.length > 0 ? await findKnownProjects(db, artifactKeys(others)) : []
  const own = await findKnownProjectsById(
    db,
    named.map(({ id }) => id),
  )
  const projects = [...new Map([...own, ...published].map((project) => [project.id, project])).values()]
  return planFacts(db, await toView(db, projects, now, findKnownAdvisories), now)
}

/** Catalog facts about artifacts with these keys. */
export async function findPlanFactsFor(db: Db, keys: LookupKeys, now: number): Promise<PlanFacts> {
  return planFacts(db, await findCatalog(db, keys, now, findKnownAdvisories), now)
}

async function planFacts(db: Db, view: CatalogView, now: number): Promise<PlanFacts> {
  const { projects } = view
  const catalog = prepareCatalog(view, now)
  const kubernetes = projectFor(catalog, 'kubernetes')
  const released = kubernetes ? releaseDays(catalog, kubernetes) : []
  const newestOn: NewestOn = (day) => released.find((one) => one.day <= day)?.minor
  const minors = released.map(({ minor }) => minor)
  const { today } = catalog
  const upstream = (segments: readonly string[]) => kubernetes && catalog.endOfLifeFor(kubernetes, segments, today)
  return {
    catalog,
    date: catalog.date,
    projects,
    facts: await findUpgradeFacts(db, projects),
    newestOn,
    minors,
    minorsFor: kept((offering) => {
      const own = distributionFor(offering, catalog)
      return own ? releaseDays(catalog, own).map(({ minor }) => minor) : offeredMinors(minors, offering)
    }),
    supportFor: (version, provider) => kubernetesSupport({ version, provider, today, upstream }).eol,
    toRules: (slug) => catalog.facts.toRules(slug),
  }
}

export function projectFor({ index }: CatalogFacts, slug: string) {
  return index.bySlug(slug)[0]
}

/** A name that is not a project may be the image or chart of one. */
function artifactKeys(typed: readonly string[]): LookupKeys {
  const { repositories, names } = lookupKeys({ images: typed.map(namedImage), charts: [], apps: [] })
  return { repositories, names: [...names, ...typed] }
}

/** An image without a workload. */
export const namedImage = (reference: string): ImageArtifact => ({
  reference,
  namespace: null,
  workload: null,
  helmChart: null,
  helmRelease: null,
})

/** The project with this slug, or the only one with this name or short name. */
function projectCalled({ catalog, projects }: PlanFacts, typed: string) {
  const bySlug = projectFor(catalog, nameKey(typed))
  if (bySlug) return bySlug
  const [meant, ...others] = projectsMeant([...projects], typed)
  return others.length === 0 ? meant : undefined
}

export interface Meant {
  project: KnownProject
  /** The typed image, if it is one of the project's. */
  image?: string
}

/** Resolves a slug, name, image or chart. */
export function findMeant(known: PlanFacts, typed: string): Meant | undefined {
  const called = projectCalled(known, typed)
  if (called) return { project: called }
  const { index } = known.catalog
  const ref = parseImageRef(typed)
  const image = ref && only(index.byRepository(repositoryFor(ref)))
  if (image) return { project: image, image: typed }
  const other = only(index.byOwnerAndName(typed.toLowerCase())) ?? only(index.byChart(typed))
  return other && { project: other }
}

/** The only element; undefined if there are none or several. */
export const only = <T>([one, ...others]: T[]) => (others.length === 0 ? one : undefined)

/** Minor versions with the day of their first release, newest first. */
function releaseDays({ book }: CatalogFacts, project: KnownProject) {
  const first = new Map<string, number>()
  for (const { version, publishedAt } of book.app(project).stable) {
    const minor = version.segments.slice(0, 2).join('.')
    first.set(minor, Math.min(first.get(minor) ?? publishedAt, publishedAt))
  }
  return [...first].map(([minor, at]) => ({ minor, day: formatDay(at) })).sort((a, b) => compareLines(b.minor, a.minor))
}
