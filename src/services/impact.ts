import type { Impact, ImpactItem } from '../contract/impact.ts'
import type { Db } from '../db/open.ts'
import { invalidParams } from '../errors.ts'
import { type Assessed, type Exposure, exposureOf, type Question } from '../freshness/index.ts'
import { canonicalId, isAdvisoryId } from '../security/advisory-ids.ts'
import { getProject } from '../store/project.ts'
import { findFixes, getReleaseName, type ReleaseName } from '../store/release.ts'
import { formatTimestamp } from '../util/time.ts'
import { ensureCatalog } from './catalog.ts'
import { type Asking, findRunning, placesOf, type Running } from './running.ts'

interface Asked {
  release_id?: number | undefined
  cve?: string | undefined
  product_id?: number | undefined
}

/** Where the user's clusters run what a release replaces, an advisory concerns, or a project has moved on from. */
export async function findImpact(db: Db, asked: Asked, asking: Asking): Promise<Impact> {
  await ensureCatalog(db, asking.now)
  const { question, releases } = await read(db, asked)
  const { catalogDate, runs } = await findRunning(db, asking)
  const items = runs.flatMap(({ assessed, ...run }) =>
    assessed.flatMap((one) => {
      const exposure = exposureOf(one, question)
      return exposure ? [toItem(run, one, exposure)] : []
    }),
  )
  return {
    success: true,
    catalog_date: catalogDate,
    releases: releases.map(({ id, projectId, version }) => ({ release_id: id, product_id: projectId, version })),
    summary: { clusters_seen: runs.length, ...count(items) },
    items: items.sort(byPlace),
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

function toItem({ run, at }: Omit<Running['runs'][number], 'assessed'>, one: Assessed, exposure: Exposure): ImpactItem {
  const { release, isCertain } = exposure
  const project = one.match.project!
  const { namespaces, workloads } = placesOf(one.places)
  return {
    cluster_name: run.cluster_name,
    environment: run.environment,
    run_id: run.run_id,
    seen_at: formatTimestamp(at),
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
    severity: release.severity,
    is_certain: isCertain,
    confidence: Math.round(one.match.confidence * 100) / 100,
  }
}

function count(items: ImpactItem[]): Omit<Impact['summary'], 'clusters_seen'> {
  const distinct = (namesOf: (item: ImpactItem) => string[]) =>
    new Set(items.flatMap((item) => namesOf(item).map((name) => JSON.stringify([item.run_id, name])))).size
  return {
    clusters: distinct(() => ['']),
    namespaces: distinct((item) => item.namespaces),
    workloads: distinct((item) => item.workloads),
    artifacts: items.length,
  }
}

/** What is certain first, then by cluster, environment and name. */
function byPlace(a: ImpactItem, b: ImpactItem): number {
  const [left, right] = [a, b].map((item) => [item.cluster_name, item.environment, item.artifact_key].join('\0'))
  return Number(b.is_certain) - Number(a.is_certain) || (left! < right! ? -1 : left! > right! ? 1 : 0)
}
