import type { FreshnessItem } from '../../src/contract/freshness.ts'
import type { CatalogView } from '../../src/freshness/catalog-view.ts'
import { assessArtifacts, prepareCatalog, toItems } from '../../src/freshness/index.ts'
import type { Artifacts } from '../../src/reports/artifact.ts'
import { parseTimestamp } from '../../src/util/time.ts'
import { bundledView } from './bundled-view.ts'
import { type Case, readCases } from './read-cases.ts'

export interface Measured extends Case {
  isRight: boolean
  /** It names a status and is at least so sure that people act on it. */
  isConfident: boolean
  /** It names a status, the version of a project, or the offering that runs it. */
  isAnswered: boolean
  answer: string
}

export interface Figures {
  /** Of confident answers; undefined where there are none. */
  precision: number | undefined
  /** The share of what has a project and a status that was told rightly; undefined where there is nothing such. */
  recall: number | undefined
  /** Of all. */
  right: number | undefined
}

/** The cases were written by the catalog of this day. */
const asOf = parseTimestamp('2026-08-22 23:59:59')!
const confident = 0.8

/** Every case, each assessed in a cluster of its own against the bundled catalog of the cases' day. */
export function measureCases(): Measured[] {
  const slugs = new Map<number, string>()
  const known = prepareCatalog(knownBy(asOf, bundledView(slugs, { knownUntil: '2026-08-22' })), asOf)
  return readCases().map((one) => {
    const { type, artifacts } = clusterFor(one.what)
    const items = toItems(assessArtifacts(artifacts, known), known, false)
    const item = items.find(({ artifact_type }) => artifact_type === type)!
    const slug = slugs.get(item.source_product_id ?? 0) ?? null
    const isConfident = item.status !== 'unknown' && item.confidence >= confident
    const isRight = one.status === 'doubtful' ? !isConfident : isTold(one, item, slug)
    const isAnswered = isConfident || item.upstream_version !== undefined || item.managed_by !== undefined
    const answer = `${slug} ${item.status} ${item.latest_version} ${item.confidence}: ${item.reason} ${item.recommendation} ${item.eol?.cycle}`
    return { ...one, isRight, isConfident, isAnswered, answer }
  })
}

export function toFigures(measured: Measured[]): Figures {
  const sure = measured.filter(({ isConfident }) => isConfident)
  const tellable = measured.filter(
    ({ project, status }) => project !== null && !['unknown', 'doubtful'].includes(status),
  )
  const share = (all: Measured[]) =>
    all.length === 0 ? undefined : all.filter(({ isRight }) => isRight).length / all.length
  return { precision: share(sure), recall: share(tellable), right: share(measured) }
}

function isTold({ project, status, newest, step, cycle }: Case, item: FreshnessItem, slug: string | null): boolean {
  if (status === 'own' || status === 'version' || status === 'no-version')
    return isManaged({ project, status, newest }, item, slug)
  const told = item.latest_version?.replace(/^\D+/, '')
  if (step !== undefined && stepFor(item) !== step) return false
  if (cycle !== undefined && item.eol?.cycle !== cycle) return false
  return item.status === status && slug === project && (newest === null || isSame(told, newest))
}

/** `newest` is the version that the tag carries. What runs by itself on Windows only cannot be told from what users run. */
function isManaged(
  { project, status, newest }: Pick<Case, 'project' | 'status' | 'newest'>,
  item: FreshnessItem,
  slug: string | null,
): boolean {
  if (slug !== project || (item.upstream_version ?? null) !== newest) return false
  return (item.vendor_component === true) === (status === 'own')
}

/** The first version that the advice names, without what stands before the number; `stay` where it names none. */
function stepFor({ recommendation }: FreshnessItem): string | undefined {
  if (/^(?:Nothing to do|Stay on)/.test(recommendation)) return 'stay'
  return /^(?:Plan the upgrade|Upgrade|Move) to (?:the line )?\D*(\d[^\s,;]*\d|\d)(?=[\s,;.])/.exec(recommendation)?.[1]
}

/** A rebuild behind the version may be told as well. */
function isSame(told: string | undefined, newest: string): boolean {
  return told === newest || told?.startsWith(`${newest}-`) === true
}

/** A cluster in which nothing else runs. */
function clusterFor(what: string): { type: FreshnessItem['artifact_type']; artifacts: Artifacts } {
  const nothing = { images: [], charts: [], apps: [], kubernetesVersion: null, imageSource: 'artifacts' as const }
  const [kind, ...words] = what.split(' ')
  const version = words.at(-1) ?? ''
  switch (kind) {
    case 'chart': {
      const [name = '', version = '', , ...references] = words
      const images = references.map((reference) => toImage(reference, name))
      const chart = { name, version, release: null, namespace: 'a', workload: null }
      return { type: 'helm_chart', artifacts: { ...nothing, charts: [chart], images } }
    }
    case 'app': {
      const app = { name: words.slice(0, -1).join(' '), version, namespace: 'a' }
      return { type: 'app', artifacts: { ...nothing, apps: [app] } }
    }
    case 'kubernetes':
      return { type: 'kubernetes', artifacts: { ...nothing, kubernetesVersion: version } }
    default:
      return { type: 'image', artifacts: { ...nothing, images: [toImage(what, null)] } }
  }
}

function toImage(reference: string, helmChart: string | null): Artifacts['images'][number] {
  return { reference, namespace: 'a', workload: 'deployment/w', helmChart, helmRelease: null }
}

/** The same catalog with only the releases and advisories published before a time in unix seconds. */
function knownBy(time: number, catalog: CatalogView): CatalogView {
  const releasesFor = (projectId: number) =>
    catalog.releasesFor(projectId).filter(({ publishedAt }) => publishedAt <= time)
  const advisoriesFor = (projectId: number) =>
    catalog.advisoriesFor(projectId)?.filter(({ publishedAt }) => publishedAt === null || publishedAt <= time)
  return { ...catalog, releasesFor, advisoriesFor }
}
