import type { Impact, ImpactAdvisory, ImpactItem } from '../../contract/impact.ts'
import { bySeverity } from '../../contract/severity-rank.ts'
import type { Db } from '../../db/open.ts'
import { invalidParams } from '../../errors.ts'
import type { KnownAdvisory } from '../../freshness/affected.ts'
import {
  type AssessedItem,
  type Exposure,
  type ExposureQuestion,
  namedFix,
  toStep,
  written,
} from '../../freshness/index.ts'
import { canBeAdvisoryId, canonicalId } from '../../security/advisory-ids.ts'
import { findFixes, getReleaseName, type ReleaseName } from '../../store/catalog/release.ts'
import { remember } from '../../util/remember.ts'
import { daySeconds, formatDay } from '../../util/time.ts'
import { ensureCatalog } from '../catalog/bundled.ts'
import { basisOfExposures } from './answer-coverage.ts'
import { type Concern, type ExposedArtifact, findExposures } from './find-exposures.ts'
import { findAdvisory, findKnownAdvisories, findNewAdvisories } from './known-advisories.ts'
import { findRunningArtifacts, placesFor, type RunningQuery } from './running-artifacts.ts'

interface ImpactQuery {
  release_id?: number | undefined
  cve?: string | undefined
  new_days?: number | undefined
  /** Range of items to return; all if absent. */
  part?: { from: number; to: number } | undefined
}

/** Lists running artifacts that a release replaces or an advisory affects. */
export async function findImpact(db: Db, asked: ImpactQuery, asking: RunningQuery): Promise<Impact> {
  await ensureCatalog(db, asking.now)
  const { question, projectIds, releases, advisories } = await read(db, asked, asking.now)
  // The recommended step depends on all advisories of a project, not just the requested one.
  const running = await findRunningArtifacts(db, asking, { projectIds, findAdvisories: findKnownAdvisories })
  const found: FoundItem[] = []
  const survey = findExposures(
    running,
    () => [question],
    ({ run, one, concerns }) => {
      for (const { exposure } of concerns) {
        found.push({ exposed: { run, one, exposure }, ...placesFor(one.places) })
      }
    },
  )
  return {
    success: true,
    ...(await basisOfExposures(db, survey)),
    releases: releases.map(({ id, projectId, version }) => ({ release_id: id, product_id: projectId, version })),
    ...(advisories && { advisories: countTouching(found) }),
    ...(asked.cve !== undefined && { has_ranges: (advisories?.size ?? 0) > 0 }),
    summary: { clusters_seen: running.count, ...count(found) },
    coverage: survey.coverage,
    items: found.sort(byUrgency).slice(asked.part?.from, asked.part?.to).map(toItem),
  }
}

/**
 * Exploited ones first, then by severity, certain ones before possible ones. Runs are already sorted by cluster and
 * environment.
 */
function byUrgency({ exposed: { exposure: a } }: FoundItem, { exposed: { exposure: b } }: FoundItem) {
  return isExploited(b) - isExploited(a) || bySeverity(a, b) || Number(b.isCertain) - Number(a.isCertain)
}

const isExploited = ({ advisories }: Exposure) => Number(advisories.some(({ exploited }) => exploited !== undefined))

interface Meant {
  question: ExposureQuestion
  /** Projects that can match; undefined: all. */
  projectIds?: number[]
  /** Releases known to fix the requested advisories. */
  releases: ReleaseName[]
  /** Advisories by project id; undefined unless advisories were requested. */
  advisories?: Map<number, KnownAdvisory[]>
}

/**
 * Throws `not_found` for a release or advisory that is not in the catalog, and `invalid_param` for an invalid
 * advisory id.
 */
async function read(db: Db, asked: ImpactQuery, now: number): Promise<Meant> {
  const { release_id, cve, new_days } = asked
  if (release_id !== undefined) {
    const release = await getReleaseName(db, release_id)
    return { question: { kind: 'release', id: release_id }, projectIds: [release.projectId], releases: [release] }
  }
  if (cve !== undefined) {
    if (!canBeAdvisoryId(cve)) throw invalidParams({ cve: 'an id like CVE-2026-1234 or GHSA-qppj-fm5r-hxr3' })
    const id = canonicalId(cve)
    const releases = await findFixes(db, id)
    const fixes = new Set(releases.map((release) => release.id))
    const advisories = await findAdvisory(db, id)
    const projectIds = [...advisories.keys(), ...releases.map(({ projectId }) => projectId)]
    return { question: { kind: 'advisories', ids: toIds(advisories), fixes }, projectIds, releases, advisories }
  }
  if (new_days !== undefined) {
    const advisories = await findNewAdvisories(db, now - new_days * daySeconds)
    const projectIds = [...advisories.keys()]
    const question = { kind: 'advisories' as const, ids: toIds(advisories), fixes: new Set<number>() }
    return { question, projectIds, releases: [], advisories }
  }
  return { question: { kind: 'security' }, releases: [] }
}

function toIds(advisories: Map<number, KnownAdvisory[]>) {
  return new Set([...advisories.values()].flatMap((all) => all.map(({ id }) => id)))
}

interface FoundItem {
  exposed: Pick<ExposedArtifact, 'run' | 'one'> & Pick<Concern, 'exposure'>
  namespaces: string[]
  workloads: string[]
}

function toItem({ exposed, namespaces, workloads }: FoundItem): ImpactItem {
  const { run, seenAt } = exposed.run
  const { one, exposure } = exposed
  const { severity, hasSecurityFix, isCertain, advisories } = exposure
  const step = exposure.step ? toStep(exposure.step, one) : null
  const states = [...new Set(one.states.reasons.map(({ state }) => state))]
  const project = one.match.project!
  return {
    cluster_name: run.cluster_name,
    environment: run.environment,
    run_id: run.run_id,
    seen_at: seenAt,
    product_id: project.id,
    product_name: project.name,
    artifact_type: one.type,
    artifact_key: one.key,
    display_name: one.name,
    current_version: one.currentVersion,
    inherited_from_helm: one.isInherited,
    namespaces,
    workloads,
    release_id: exposure.step?.release.id || null,
    wanted_version: exposure.step?.release.version.text ?? null,
    fixed_in: fixFor(one, exposure),
    step,
    ...(step === null && one.steps.because.length > 0 && { step_reasons: one.steps.because }),
    ...(states.length > 0 && { states }),
    severity,
    has_security_fix: hasSecurityFix,
    ...(advisories.length > 0 && {
      advisory_ids: advisories.map(({ id }) => id),
      exploited: advisories.some((advisory) => advisory.exploited !== undefined),
    }),
    is_certain: isCertain,
    confidence: Math.round(one.match.confidence * 100) / 100,
  }
}

/** The requested release, or the first that fixes the advisories; else the fix that a single advisory states. */
function fixFor(one: AssessedItem, { fix, advisories, isCertain }: Exposure) {
  if (fix) return one.current ? written(fix.version, one.current) : fix.version.text
  const [only, ...others] = advisories
  if (!isCertain || !only || others.length > 0) return null
  const named = one.security?.advisories.find(({ id }) => id === only.id)
  return named ? namedFix(named, one) : null
}

function count(items: FoundItem[]): Omit<Impact['summary'], 'clusters_seen'> {
  const distinct = (toNames: (item: FoundItem) => string[]) => {
    const byRun = new Map<string, Set<string>>()
    for (const item of items) {
      const { run_id } = item.exposed.run.run
      const seen = remember(byRun, run_id, () => new Set<string>())
      for (const name of toNames(item)) seen.add(name)
    }
    return byRun.values().reduce((sum, { size }) => sum + size, 0)
  }
  return {
    clusters: distinct(() => ['']),
    namespaces: distinct((item) => item.namespaces),
    workloads: distinct((item) => item.workloads),
    artifacts: items.length,
  }
}

/**
 * Counts affected and possibly affected artifacts by advisory and project. Sorted by certainty, then exploited ones first,
 * then by severity and date.
 */
function countTouching(items: FoundItem[]) {
  const found = new Map<string, { entry: ImpactAdvisory; clusters: Set<string> }>()
  for (const { exposed } of items) {
    const project = exposed.one.match.project!
    for (const { id, aliases, severity, score, publishedAt, exploited = null } of exposed.exposure.advisories) {
      const key = `${project.id} ${id}`
      const known = remember(found, key, () => ({
        entry: {
          id,
          aliases,
          severity,
          score,
          exploited,
          published: publishedAt === null ? null : formatDay(publishedAt),
          product_id: project.id,
          product_name: project.name,
          clusters: 0,
          artifacts: 0,
          is_certain: false,
        },
        clusters: new Set<string>(),
      }))
      known.entry.clusters = known.clusters.add(exposed.run.run.run_id).size
      known.entry.artifacts++
      known.entry.is_certain ||= exposed.exposure.isCertain
    }
  }
  return [...found.values()]
    .map(({ entry }) => entry)
    .sort(
      (a, b) =>
        Number(b.is_certain) - Number(a.is_certain) ||
        Number(Boolean(b.exploited)) - Number(Boolean(a.exploited)) ||
        bySeverity(a, b) ||
        (b.published ?? '').localeCompare(a.published ?? '') ||
        a.id.localeCompare(b.id),
    )
}
