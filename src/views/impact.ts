import { staleText } from '../contract/facts-age.ts'
import type { Impact, ImpactAdvisory, ImpactItem } from '../contract/impact.ts'
import { type Rated, ratedText, ratingText } from '../contract/rating-text.ts'
import { impactText, wayText } from '../lifecycle/step-text.ts'
import type { UnixSeconds } from '../util/time.ts'
import { count, listed, withoutStop } from '../util/words.ts'
import { advisoryColumns, ratedSaid, ratingTone } from './advisory.ts'
import { advisoryEdge } from './advisory-edge.ts'
import { clusterText } from './finding.ts'
import { type Said, safe, say, type Tone } from './said.ts'
import { columnsOf, type Note, noteIn, optional, type ViewVerdict } from './view.ts'

export interface Asked {
  /** The question is about a single advisory. */
  isOfOne: boolean
  now: UnixSeconds
}

/** Whether any artifact is affected. Green only if every running artifact could be compared. */
export function impactVerdict(impact: Impact, { isOfOne, now }: Asked): ViewVerdict {
  const { summary, coverage, has_ranges, releases } = impact
  const { clusters_seen: seen, clusters, namespaces, workloads, artifacts } = summary
  const clustersSeen = safe(count(seen, 'cluster'))
  if (artifacts > 0) {
    const parts = [count(namespaces, 'namespace'), count(workloads, 'workload'), count(artifacts, 'artifact')]
    return {
      state: 'failed',
      words: say`${clusters} of ${clustersSeen}, ${safe(parts.join(', '))}`,
      gaps: staleGaps(impact.catalog_date, now),
    }
  }
  if (seen === 0)
    return { state: 'undecided', words: say`No cluster was looked at`, gaps: [say`No run lists artifacts`] }
  if (has_ranges === false && releases.length === 0) {
    const gaps = [say`The catalog does not know which versions it affects`]
    return { state: 'undecided', words: say`Not known`, gaps, more: [say`${clustersSeen} looked at`] }
  }
  const gaps = [...comparedGaps(coverage), ...staleGaps(impact.catalog_date, now)]
  return {
    state: gaps.length === 0 ? 'passed' : 'undecided',
    words: say`No known version in ${clustersSeen} is affected`,
    gaps,
    ...(isOfOne && { more: [[safe(withoutStop(advisoryEdge(coverage)))]] }),
  }
}

/** Facts about the requested advisory. */
export function impactNotes({ advisories = [] }: Impact, id: string | undefined): Note[] {
  const exploited = id === undefined ? undefined : advisories.find((advisory) => advisory.exploited)?.exploited
  if (!exploited) return []
  const { since, ransomware } = exploited
  const used = ransomware && safe(', used by ransomware')
  return [noteIn('warn', say`${safe(id!)} is exploited: listed on ${safe(since)}${used}.`)]
}

function comparedGaps(coverage: Impact['coverage']) {
  const { artifacts: all, known, advisories_known: compared = known } = coverage ?? {}
  if (all === 0) return [say`No run lists what runs`]
  if (all !== undefined && known === all && compared === all) return []
  return [say`Some of what runs is unknown, or has no facts to compare with`]
}

export function staleGaps(catalogDate: string | null | undefined, now: UnixSeconds): Said[] {
  const stale = staleText(catalogDate, now)
  return stale === '' ? [] : [[safe(withoutStop(stale))]]
}

/** If a tag does not state the version, the artifact is only possibly affected. */
export const certaintyTone = ({ is_certain }: Pick<ImpactItem, 'is_certain'>): Tone => (is_certain ? 'bad' : 'soft')
export const doubt = ({ is_certain }: Pick<ImpactItem, 'is_certain'>): string => (is_certain ? '' : ' ?')

/** The severity of what a release fixes; null if it fixes no known vulnerability. */
const isRated = ({ severity, has_security_fix }: ImpactItem) => severity !== 'none' || has_security_fix === true
/** Undefined if none is rated. */
export const ratingFor = (item: ImpactItem): Rated | undefined =>
  isRated(item) || item.exploited ? { severity: item.severity, exploited: item.exploited } : undefined

const columns = columnsOf<ImpactItem>()({
  cluster: {
    reveals: 'cluster',
    min: 8,
    text: clusterText,
    data: ({ cluster_name }) => cluster_name,
    tone: () => 'strong',
    link: ({ run_id }) => ({ page: 'run', run_id }),
  },
  environment: { reveals: 'environment', text: ({ environment }) => environment },
  project: {
    text: ({ product_name }) => product_name,
    reveals: 'artifact',
    link: ({ product_id }) => ({ page: 'project', product_id }),
  },
  artifact: {
    reveals: 'artifact',
    min: 16,
    text: ({ display_name }) => display_name,
    link: ({ artifact_key, run_id }) => ({ page: 'artifact', artifact_key, run_id }),
  },
  runs: {
    text: ({ current_version }) => current_version,
    said: ({ current_version, is_certain }) => [
      { text: current_version ?? '-', reveals: 'version' },
      ...(is_certain ? [] : [safe(' not certain', 'warn')]),
    ],
    data: ({ current_version }) => current_version,
    reveals: 'version',
  },
  severity: {
    reveals: 'safe',
    from: 100,
    text: (item) => optional(ratingFor(item), ratedText),
    said: (item) => optional(ratingFor(item), ratedSaid) ?? [safe('-')],
    data: (item) => (isRated(item) ? ratingText(item.severity) : 'none'),
    tone: (item) => (isRated(item) ? ratingTone(item.severity) : undefined),
  },
  certain: {
    reveals: 'safe',
    data: ({ is_certain }) => is_certain,
    text: ({ is_certain }) => (is_certain ? 'yes' : 'no'),
  },
  namespaces: { title: 'Namespaces', text: ({ namespaces }) => namespaces.join(' '), reveals: 'namespace' },
  workloads: {
    reveals: 'resource',
    min: 8,
    text: (item) => wholeOr(item, 3) ?? 'not stated',
    brief: (item) => wholeOr(item, 1),
    data: ({ workloads }) => workloads.join(' '),
  },
  advisories: { reveals: 'safe', text: ({ advisory_ids = [] }) => advisory_ids.join(' ') },
  fixed_in: { text: ({ fixed_in }) => fixed_in ?? null, reveals: 'safe' },
  step: { text: ({ step }) => (step ? wayText(step) : null), reveals: 'safe' },
  exploited: {
    text: ({ exploited }) => (exploited ? 'yes' : 'no'),
    reveals: 'safe',
    data: ({ exploited }) => exploited ?? false,
  },
  states: { text: ({ states = [] }) => states.join(' '), reveals: 'safe' },
})

/** Columns of affected artifacts. `isOfOne`: by one advisory. */
export const impactColumns = (isOfOne: boolean) => ({
  ...columns,
  ...columnsOf<ImpactItem>()({
    upgrade_to: {
      reveals: 'safe',
      tone: certaintyTone,
      min: 8,
      text: (item) => impactText(item, isOfOne),
      brief: (item) => `${impactText(item, isOfOne)}${doubt(item)}`,
      data: ({ wanted_version }) => wanted_version,
    },
  }),
})

/** Kubernetes runs everywhere, not in single workloads. */
function wholeOr({ workloads, namespaces, artifact_type }: ImpactItem, most: number) {
  const places = workloads.length > 0 ? workloads : namespaces
  if (places.length === 0 && artifact_type === 'kubernetes') return 'the whole cluster'
  return places.length === 0 ? null : listed(places, most)
}

/** Columns of the advisories in an impact answer. */
export const impactAdvisoryColumns = columnsOf<ImpactAdvisory>()({
  advisory: advisoryColumns.advisory,
  severity: advisoryColumns.severity,
  published: advisoryColumns.published,
  project: {
    text: ({ product_name }) => product_name,
    reveals: 'artifact',
    link: ({ product_id }) => ({ page: 'project', product_id }),
    min: 10,
  },
  affects: {
    reveals: 'safe',
    tone: certaintyTone,
    text: (each) => `${count(each.artifacts, 'artifact')} in ${count(each.clusters, 'cluster')}${doubt(each)}`,
  },
  clusters: { text: ({ clusters }) => String(clusters), reveals: 'safe', align: 'right' },
  artifacts: { text: ({ artifacts }) => String(artifacts), reveals: 'safe', tone: certaintyTone, align: 'right' },
  certain: { reveals: 'safe', text: ({ is_certain }) => (is_certain ? 'yes' : 'no') },
})
