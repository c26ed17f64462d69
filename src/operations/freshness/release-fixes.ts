import type { Db } from '../../db/open.ts'
import { insteadOf } from '../../errors.ts'
import { fixedBy } from '../../freshness/index.ts'
import { findKnownAdvisories } from './known-advisories.ts'
import { findRunningArtifacts, type RunningQuery } from './running-artifacts.ts'

interface ListedRelease {
  product_id: number
  version: string
  has_security_fix: boolean
}

/**
 * Adds to each release the ids of the advisories that it fixes and that affect running artifacts, worst first. Without the
 * store's key, runs cannot be opened and releases stay unmarked.
 */
export async function withFixes<T extends ListedRelease>(db: Db, releases: T[], asking: RunningQuery) {
  const wanted = new Map<string, Set<string>>()
  for (const release of releases) if (release.has_security_fix) wanted.set(toKey(release), new Set())
  if (wanted.size === 0) return releases
  await collectFixes(db, wanted, asking).catch(insteadOf('key_unavailable', undefined))
  return releases.map((release) => {
    const ids = wanted.get(toKey(release))
    return ids?.size ? { ...release, fixes: [...ids] } : release
  })
}

async function collectFixes(db: Db, wanted: Map<string, Set<string>>, asking: RunningQuery) {
  const projectIds = [...wanted.keys()].map((key) => Number(key.slice(0, key.indexOf(' '))))
  const running = await findRunningArtifacts(db, asking, { projectIds, findAdvisories: findKnownAdvisories })
  for (const { assessed } of running.runs) {
    for (const one of assessed) {
      if (!one.security?.advisories.length) continue
      for (const release of one.verdict.newer) {
        const ids = wanted.get(toKey({ product_id: one.match.project!.id, version: release.version.text }))
        if (ids) for (const { id } of fixedBy(one, release)) ids.add(id)
      }
    }
  }
}

const toKey = ({ product_id, version }: Pick<ListedRelease, 'product_id' | 'version'>) => `${product_id} ${version}`
