import { remember } from '../util/remember.ts'
import { assess } from './assess.ts'
import type { AssessedItem } from './assessed.ts'
import type { KnownProject } from './catalog-view.ts'
import type { CatalogFacts } from './prepare-catalog.ts'
import { noFoundSteps } from './steps/steps-of-subject.ts'
import { type AssessmentSubject, isByApp } from './subject.ts'
import { unknownVerdict } from './verdict.ts'
import type { Version } from './versions.ts'

/** A running artifact with its project, as JSON: enough to compute its exposure. */
export interface FoundArtifact {
  /** Position among the artifacts of its run. */
  position: number
  type: AssessmentSubject['type']
  key: string
  name: string
  confidence: number
  currentVersion: string | null
  current: Version | null
  /** Name of a chart; null for other artifacts. */
  chart: string | null
  /** The app version by which a chart is judged. */
  upstreamVersion?: string | undefined
  isInherited: boolean
  /** A managed offering runs and upgrades it. */
  isManaged: boolean
  /** A vendor's own component, with nothing to compare. */
  isOwn: boolean
  /** For Kubernetes: the managed offering. */
  offering?: string | undefined
  /** Places without duplicates. */
  places: (readonly [namespace: string | null, workload: string | null])[]
}

/** Undefined for an artifact without a project. */
export function toFound(one: AssessedItem, position: number): FoundArtifact | undefined {
  if (!one.match.project) return undefined
  const places = new Map(
    one.places.map(({ namespace, workload }) => [`${namespace} ${workload}`, [namespace, workload] as const]),
  )
  return {
    position,
    type: one.type,
    key: one.key,
    name: one.name,
    confidence: one.match.confidence,
    currentVersion: one.currentVersion,
    current: one.current ?? null,
    chart: one.chart ?? null,
    ...(isByApp(one) && { upstreamVersion: one.upstreamVersion }),
    isInherited: one.isInherited,
    isManaged: one.managedBy !== undefined,
    ...(one.offering !== undefined && { offering: one.offering }),
    isOwn: one.managedBy?.isOwn ?? false,
    places: [...places.values()],
  }
}

/** Maximum number of cached verdicts. */
const maxJudged = 20_000

/** Assesses found artifacts, each distinct one once. Does not restore reasons, candidates and recommendations. */
export function createJudge(facts: CatalogFacts) {
  /** By project, then by key. */
  const byProject = new Map<KnownProject, Map<string, AssessedItem>>()
  let size = 0
  return judge

  function judge(found: FoundArtifact, project: KnownProject) {
    const judged = assessOnce(found, project)
    const { verdict, match } = judged
    return {
      ...judged,
      match: { ...match, confidence: found.confidence },
      places: found.places.map(([namespace, workload]) => ({ namespace, workload })),
      isInherited: found.isInherited,
      ...(found.isManaged && { steps: noFoundSteps }),
      verdict: found.isOwn ? { ...unknownVerdict(''), newer: verdict.newer } : verdict,
    }
  }

  function assessOnce(found: FoundArtifact, project: KnownProject) {
    if (size >= maxJudged) {
      byProject.clear()
      size = 0
    }
    const ofProject = remember(byProject, project, () => new Map<string, AssessedItem>())
    const { type, key, offering } = found
    // Most are images, which need no joined key.
    const own = type === 'image' && offering === undefined ? key : `${type} ${offering ?? ''} ${key}`
    const known = ofProject.get(own)
    if (known) return known
    // Copying an object with a lazy property for steps takes ten times as long.
    const judged = { ...assess(toSubject(found, project, facts), facts) }
    ofProject.set(own, judged)
    size++
    return judged
  }
}

function toSubject(found: FoundArtifact, project: KnownProject, { book }: CatalogFacts): AssessmentSubject {
  const { type, key, name, chart, upstreamVersion, confidence, currentVersion, current, offering } = found
  const list =
    type === 'helm_chart' && upstreamVersion === undefined ? book.chart(project, chart ?? name) : book.app(project)
  return {
    type,
    key,
    name,
    // Not needed for restored artifacts.
    shortName: name,
    source: 'artifacts',
    places: [],
    match: { project, confidence, reason: '', candidates: [] },
    ...(chart !== null && { chart }),
    releases: { of: project.name, list },
    currentVersion,
    current: current ?? undefined,
    unreadable: '',
    upstreamVersion,
    offering,
  }
}
