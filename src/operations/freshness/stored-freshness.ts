import type { Coverage, Freshness } from '../../contract/freshness.ts'
import type { Db } from '../../db/open.ts'
import { getCatalogRevision } from '../../store/catalog/revision.ts'
import { findPart, type SealedPart } from '../../store/runs/part.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import { pack, unpack } from '../../util/pack.ts'
import { daySeconds } from '../../util/time.ts'
import { getCatalogDate } from '../catalog/bundled.ts'
import type { Vault } from '../keys/vault.ts'
import { saveSealed, toBasis } from './run-assessment.ts'

/** Freshness of a run's artifacts, from its own report alone. */
export type RunFreshness = Pick<Freshness, 'items' | 'nodes' | 'unread' | 'wanted' | 'owner_labels'> & {
  coverage: Coverage
  /** Day of the catalog. */
  date: string
}

interface Stored extends RunFreshness {
  /** Revision and day of the catalog, and program version. */
  basis: string
}

const part = 1

/**
 * The stored freshness of a run. It is computed again if the catalog, the day or the program changed, which takes most of a
 * query.
 */
export async function storedFreshness(
  db: Db,
  { id, run }: StoredRun,
  {
    vault,
    now,
    make,
  }: { vault: Vault; now: number; make: () => Promise<{ freshness: RunFreshness; context: SealedPart }> },
) {
  await getCatalogDate(db, now)
  // Read before the catalog: a concurrent change ends this revision.
  const revision = await getCatalogRevision(db)
  if (revision === undefined) return (await make()).freshness
  const basis = `${toBasis(revision)} ${Math.floor(now / daySeconds)}`
  const sealed = await findPart(db, id, 'assessment', part)
  const stored: Stored | undefined = sealed && JSON.parse(unpack(vault.open(run.run_id, sealed)).toString('utf8'))
  if (stored?.basis === basis) return stored
  const { freshness, context } = await make()
  const text = JSON.stringify({ basis, ...freshness } satisfies Stored)
  const assessment = vault.seal(run.run_id, 'assessment', part, pack(text))
  await saveSealed(db, [{ id, assessment, context }], revision)
  return freshness
}
