import type { Db } from '../db/open.ts'
import { fixedBy } from '../freshness/index.ts'
import { findKnownAdvisories } from './known-advisories.ts'
import { type Asking, findRunningArtifacts } from './running-artifacts.ts'

interface ListedRelease {
  product_id: number
  version: string
  has_security_fix: boolean
}

/** Adds to each release the advisories that affect something which runs and that it fixes: ids, the worst first. */
export async function withFixes<T extends ListedRelease>(
  db: Db,
  releases: T[],
  asking: Asking,
): Promise<(T & { fixes?: string[] })[]> {
  const wanted = new Map<string, Set<string>>()
  for (const release of releases) if (release.has_security_fix) wanted.set(keyOf(release), new Set())
  if (wanted.size === 0) return releases
  const running = await findRunningArtifacts(db, asking, findKnownAdvisories)
  for (const { assessed } of running.runs) {
    for (const one of assessed) {
      if (!one.security?.advisories.length) continue
      for (const release of one.verdict.newer) {
        const ids = wanted.get(keyOf({ product_id: one.match.project!.id, version: release.version.text }))
        if (ids) for (const { id } of fixedBy(one, release)) ids.add(id)
      }
    }
  }
  return releases.map((release) => {
    const ids = wanted.get(keyOf(release))
    return ids?.size ? { ...release, fixes: [...ids] } : release
  })
}

const keyOf = ({ product_id, version }: Pick<ListedRelease, 'product_id' | 'version'>) => `${product_id} ${version}`
