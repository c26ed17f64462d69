import type { ProjectPath, UpgradeCheck, UpgradeCheckInput } from '../../contract/upgrade.ts'
import type { Db } from '../../db/open.ts'
import { invalidParams, noProjectNamed } from '../../errors.ts'
import type { KnownProject } from '../../freshness/catalog-view.ts'
import { assessImages, assessVersion, readNamed } from '../../freshness/index.ts'
import { compareStages, parseVersion } from '../../freshness/versions.ts'
import { offeringFor } from '../../lifecycle/offering.ts'
import { openShiftKubernetes } from '../../lifecycle/offering-cycles.ts'
import { listAppVersions } from '../../store/catalog/chart-release.ts'
import { clusterSlug, isCoupled } from '../../upgrade/coupled.ts'
import type { PlanPart } from '../../upgrade/part.ts'
import { chartVersioned, toPart } from '../../upgrade/part-of.ts'
import { toPath } from '../../upgrade/path.ts'
import { makePlan } from '../../upgrade/plan.ts'
import { remember } from '../../util/remember.ts'
import { chartVersionText } from '../../views/upgrade-text.ts'
import { findMeant, findPlanFacts, type Meant, namedImage, only, type PlanFacts, projectFor } from './plan-knowledge.ts'
import { toTarget } from './upgrade-target.ts'

/**
 * Requirements of these components for another Kubernetes version, without a cluster. Throws `invalid_param` for an invalid
 * target.
 */
export async function checkUpgrade(db: Db, input: UpgradeCheckInput, now: number): Promise<UpgradeCheck> {
  const known = await findPlanFacts(
    db,
    input.parts.map(({ project_slug }) => project_slug),
    now,
  )
  // Kubernetes 4 does not exist, so the version must be OpenShift's.
  const ofOpenShift = openShiftKubernetes(input.kubernetes)
  const kubernetes = ofOpenShift ?? input.kubernetes
  const offering = ofOpenShift === undefined ? offeringFor(kubernetes) : 'openshift'
  const plan = makePlan(
    {
      kubernetes,
      to: toTarget(input.to, { kubernetes, offering }, known),
      parts: await namedParts(db, input.parts, known),
      cluster: clusterPart({ kubernetes, offering }, known),
      offering,
      reasons: [],
      isOfCluster: false,
    },
    known,
  )
  return { success: true, ...plan, kubernetes: input.kubernetes }
}

const kubernetesParts = new WeakMap<PlanFacts, Map<string, PlanPart>>()

/** Kubernetes itself, used to list its releases. */
export function clusterPart(
  { kubernetes, offering }: { kubernetes: string | null; offering: string | undefined },
  known: PlanFacts,
): PlanPart | undefined {
  const project = projectFor(known.catalog, clusterSlug)
  if (!project || kubernetes === null) return undefined
  const parts = remember(kubernetesParts, known, () => new Map<string, PlanPart>())
  return remember(parts, `${offering ?? ''} ${kubernetes}`, () => {
    // A minor version alone would be a release cycle, so `.0` makes it a release.
    const version = /^v?\d+\.\d+$/.test(kubernetes) ? `${kubernetes}.0` : kubernetes
    return toPart(assessVersion({ project, version, provider: offering }, known.catalog), known)
  })
}

/**
 * Versions of projects by slug or name, which may be unknown. A version that only a chart has is mapped to its app version.
 */
async function namedParts(db: Db, typed: readonly UpgradeCheckInput['parts'][number][], known: PlanFacts) {
  const named = typed.map(({ project_slug, version }) => {
    const meant = findMeant(known, project_slug)
    const chartKey = meant && mayBeOfChart(meant, version, known) ? chartKeyFor(meant.project.id, version) : undefined
    return { typed: project_slug, version, meant, chartKey }
  })
  const open = named.filter(({ chartKey }) => chartKey !== undefined)
  const installed = await listAppVersions(
    db,
    open.map(({ meant }) => meant!.project.id),
    open.map(({ version }) => withoutV(version)),
  )
  const byChart = Map.groupBy(installed, ({ project_id, version }) => chartKeyFor(project_id, version))
  return named.map(({ chartKey, ...part }) => {
    const { version } = part
    const rows = (chartKey !== undefined && byChart.get(chartKey)) || []
    const row = only([...Map.groupBy(rows, ({ app_version }) => app_version).values()])?.[0]
    if (!row || withoutV(row.app_version) === withoutV(version)) return namedPart(part, known)
    const own = namedPart({ ...part, version: row.app_version }, known)
    const chartNote = chartVersionText(own.name, { ...row, version })
    return { ...own, identity: JSON.stringify([own.identity, chartNote]), chartNote }
  })
}

const chartKeyFor = (projectId: number, version: string) => `${projectId} ${withoutV(version)}`
const withoutV = (version: string) => version.replace(/^v/, '')

/** The project's own versions come first, and an image's versions are its own. */
function mayBeOfChart({ project, image }: Meant, version: string, known: PlanFacts) {
  return image === undefined && chartOf(project) === undefined && !isOfApp(project, version, known)
}

function isOfApp(project: KnownProject, version: string, { catalog }: PlanFacts) {
  const read = readNamed({ project, version }, catalog)
  return !read || catalog.book.app(project).all.some((release) => compareStages(release.version, read) === 0)
}

function namedPart(
  { typed, version, meant }: { typed: string; version: string; meant: Meant | undefined },
  known: PlanFacts,
) {
  const slug = meant?.project.slug ?? typed
  if (!meant) {
    return {
      identity: `${slug} ${version}`,
      slug,
      name: slug,
      version,
      numbers: parseVersion(version),
      isCoupled: isCoupled(slug, known.facts),
      isUnknown: true as const,
      workloads: [],
      states: [],
      support: undefined,
      hasRelease: () => false,
      stepTo: () => undefined,
      whyNotTo: () => undefined,
    }
  }
  const { project, image } = meant
  const named = { project, version, chart: chartOf(project) }
  const item =
    (image === undefined ? undefined : assessTag(image, version, known)) ?? assessVersion(named, known.catalog)
  return toPart(item, known)
}

/** Assesses an image, to which facts about its repository apply. Undefined if the version is not one of its tags. */
function assessTag(image: string, version: string, { catalog }: PlanFacts) {
  const [item] = assessImages(
    {
      images: [namedImage(`${image}:${version}`)],
      charts: [],
      apps: [],
      kubernetesVersion: null,
      imageSource: 'artifacts',
    },
    catalog,
  )
  return item?.match.project && item.current ? item : undefined
}

const chartOf = ({ slug }: KnownProject) => (chartVersioned.includes(slug) ? slug : undefined)

/** The upgrade path of a single project. Throws `not_found` if it is not in the catalog. */
export async function findUpgradePath(
  db: Db,
  { project, version, to }: { project: string; version: string; to?: string | undefined },
  now: number,
): Promise<ProjectPath> {
  const known = await findPlanFacts(db, [project], now)
  const meant = findMeant(known, project)
  if (!meant) throw noProjectNamed(project)
  const [part] = (await namedParts(db, [{ project_slug: project, version }], known)) as [PlanPart]
  if (!part.numbers) throw invalidParams({ version: 'must be a version, such as 3.5.0' })
  const path = toPath(part, toWanted(meant.project, to, known), known)
  return { success: true, catalog_date: part.knownUntil ?? known.date, ...path }
}

function toWanted(project: KnownProject, to: string | undefined, known: PlanFacts) {
  if (to === undefined || to === 'latest') return undefined
  const segments = readNamed({ project, version: to, chart: chartOf(project) }, known.catalog)?.segments
  if (segments) return { text: to, segments }
  throw invalidParams({ to: 'must be a version or a line, such as 1.18, or `latest`' })
}
