import type { Db } from '../../db/open.ts'
import type { KnownAdvisory } from '../../freshness/affected.ts'
import { isNamed } from '../../security/advisory-ids.ts'
import type { CatalogAdvisory } from '../../security/catalog-advisory.ts'
import {
  findCatalogAdvisories,
  findProjectsOfAdvisory,
  listCatalogAdvisories,
} from '../../store/catalog/catalog-advisory.ts'
import type { FindAdvisories } from '../catalog/view.ts'
import { type FindExploited, findExploited } from '../facts/state-facts.ts'

/** For questions that do not depend on advisories. */
export const withoutAdvisories: FindAdvisories = async () => () => undefined

/** All advisories of the projects. A project whose sources answered without advisories has an empty list. */
export const findKnownAdvisories: FindAdvisories = async (db, projects) => {
  const ids = projects.filter(({ hasAdvisories }) => hasAdvisories).map(({ id }) => id)
  const advisoriesFor = await findCatalogAdvisories(db, ids)
  const known = new Set(ids)
  const exploited = await findExploited(db)
  return (id) => (known.has(id) ? toCurrent(advisoriesFor(id), exploited) : undefined)
}

/** Finds the advisory with this CVE, GHSA or other id, ignoring case, for each project that it affects. */
export async function findAdvisory(db: Db, id: string) {
  const known = await listKnownAdvisories(db, await findProjectsOfAdvisory(db, { id }))
  return filterEach(known, (advisory) => isNamed(advisory, id))
}

/** Advisories published at or after this time, in unix seconds. */
export async function findNewAdvisories(db: Db, since: number) {
  const known = await listKnownAdvisories(db, await findProjectsOfAdvisory(db, { since }))
  return filterEach(known, ({ publishedAt }) => publishedAt !== null && publishedAt >= since)
}

async function listKnownAdvisories(db: Db, projectIds: number[]) {
  const advisories = await listCatalogAdvisories(db, projectIds)
  const exploited = await findExploited(db)
  return new Map([...advisories].map(([id, all]) => [id, toCurrent(all, exploited)]))
}

/** Leaves out withdrawn advisories. */
function toCurrent(advisories: CatalogAdvisory[], exploited: FindExploited): KnownAdvisory[] {
  return advisories
    .filter(({ withdrawn_at }) => withdrawn_at === null)
    .map(({ id, aliases, severity, score, published_at, affected }) => {
      const found = exploited([id, ...aliases])
      const advisory = { id, aliases, severity, score, publishedAt: published_at, ranges: affected }
      return found ? { ...advisory, exploited: found } : advisory
    })
}

function filterEach(known: Map<number, KnownAdvisory[]>, isMeant: (advisory: KnownAdvisory) => boolean) {
  const meant = [...known].map(([id, all]): [number, KnownAdvisory[]] => [id, all.filter(isMeant)])
  return new Map(meant.filter(([, all]) => all.length > 0))
}
