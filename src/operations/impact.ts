import type { Impact, ImpactItem } from '../contract/impact.ts'
import type { Db } from '../db/open.ts'
import { invalidParams } from '../errors.ts'
import type { Question } from '../freshness/index.ts'
import { canonicalId, isAdvisoryId } from '../security/advisory-ids.ts'
import { getProject } from '../store/project.ts'
import { findFixes, getReleaseName, type ReleaseName } from '../store/release.ts'
import { basisOfExposures } from './answer-coverage.ts'
import { ensureCatalog } from './catalog.ts'
import { type Exposed, findExposures } from './find-exposures.ts'
import { type Asking, findRunningArtifacts, placesOf } from './running-artifacts.ts'

interface Asked {
  release_id?: number | undefined
  cve?: string | undefined
  product_id?: number | undefined
}

/** Lists running artifacts that a release replaces, an advisory affects, or a project has newer versions of. */
export async function findImpact(db: Db, asked: Asked, asking: Asking): Promise<Impact> {
  await ensureCatalog(db, asking.now)
  const { question, releases } = await read(db, asked)
  const running = await findRunningArtifacts(db, asking)
  const items: ImpactItem[] = []
  const survey = findExposures(
    running,
    () => [question],
    (exposed) => items.push(toItem(exposed)),
  )
  return {
    success: true,
    ...(await basisOfExposures(db, survey)),
    releases: releases.map(({ id, projectId, version }) => ({ release_id: id, product_id: projectId, version })),
    summary: { clusters_seen: running.count, ...count(items) },
    coverage: survey.coverage,
    // The runs come by cluster and environment.
    items: items.sort((a, b) => Number(b.is_certain) - Number(a.is_certain)),
  }
}

/** Throws `not_found` for what the catalog does not know, and `invalid_param` for what is no advisory. */
async function read(db: Db, asked: Asked): Promise<{ question: Question; releases: ReleaseName[] }> {
  const { release_id, cve, product_id } = asked
  if (release_id !== undefined) {
    return { question: { kind: 'release', id: release_id }, releases: [await getReleaseName(db, release_id)] }
  }
  if (cve !== undefined) {
    if (!isAdvisoryId(cve)) throw invalidParams({ cve: 'an id like CVE-2026-1234 or GHSA-qppj-fm5r-hxr3' })
    const releases = await findFixes(db, canonicalId(cve))
    return { question: { kind: 'cve', fixes: new Set(releases.map(({ id }) => id)) }, releases }
  }
  if (product_id !== undefined) {
    await getProject(db, product_id)
    return { question: { kind: 'project', id: product_id }, releases: [] }
  }
  return { question: { kind: 'security' }, releases: [] }
}

function toItem({ run: { run, seenAt }, one, exposure }: Exposed): ImpactItem {
  const { release, severity, hasSecurityFix, isCertain } = exposure
  const project = one.match.project!
  const { namespaces, workloads } = placesOf(one.places)
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
    release_id: release.id,
    wanted_version: release.version.text,
    severity,
    has_security_fix: hasSecurityFix,
    is_certain: isCertain,
    confidence: Math.round(one.match.confidence * 100) / 100,
  }
}

function count(items: ImpactItem[]): Omit<Impact['summary'], 'clusters_seen'> {
  const distinct = (namesOf: (item: ImpactItem) => string[]) =>
    new Set(items.flatMap((item) => namesOf(item).map((name) => `${item.run_id} ${name}`))).size
  return {
    clusters: distinct(() => ['']),
    namespaces: distinct((item) => item.namespaces),
    workloads: distinct((item) => item.workloads),
    artifacts: items.length,
  }
}
