import type { SubjectEnd } from '../../contract/cluster-report.ts'
import type { Db } from '../../db/open.ts'
import { ReltError } from '../../errors.ts'
import type { User } from '../../store/accounts/user.ts'
import { findLatestOfSeries } from '../../store/runs/latest-run.ts'
import { findPart, removePart, replacePart } from '../../store/runs/part.ts'
import { listMadeEnds, setEnd } from '../../store/runs/series.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import { pack, unpack } from '../../util/pack.ts'
import { formatTimestamp, type UnixSeconds } from '../../util/time.ts'
import { makerFor } from '../accounts/maker.ts'
import type { Vault } from '../keys/vault.ts'

/**
 * Ends the subject of a run: its findings are no longer part of the cluster's state, and were not resolved. A later run of it
 * begins it again. `by`: null for an inventory. Throws `conflict` unless the run is the latest of its series. Call it
 * with the cluster's runs locked.
 */
export async function endSubject(
  trx: Db,
  vault: Vault,
  { id, seriesId, run }: StoredRun,
  { at, reason, by }: { at: UnixSeconds; reason: string; by: User | null },
): Promise<SubjectEnd> {
  const latest = await findLatestOfSeries(trx, seriesId)
  if (latest?.id !== id) {
    throw new ReltError('conflict', 'It is not the latest run about its subject.', {
      ...(latest && { id: latest.run.run_id, hint: `That is ${latest.run.run_id}.` }),
    })
  }
  const end = { ended_at: formatTimestamp(at), reason, ended_by: by?.login ?? null }
  await setEnd(trx, seriesId, at, by && makerFor(by))
  await replacePart(trx, id, vault.seal(run.run_id, 'end', 0, pack(JSON.stringify(end))))
  return end
}

/** The latest runs about the subjects that these makers ended. */
export async function findMadeEnds(db: Db, makers: string[]): Promise<StoredRun[]> {
  const latest = (await listMadeEnds(db, makers)).map((id) => findLatestOfSeries(db, id))
  return (await Promise.all(latest)).flatMap((run) => run ?? [])
}

/** Makes the subject of a run part of its cluster again, with the findings that it had. */
export async function undoEnd(trx: Db, { id, seriesId }: StoredRun): Promise<void> {
  await setEnd(trx, seriesId, null)
  await removePart(trx, id, 'end')
}

/** How the subject of a run ended after it, if it did. */
export async function openEnd(db: Db, vault: Vault, { id, run }: StoredRun): Promise<SubjectEnd | undefined> {
  const part = await findPart(db, id, 'end')
  return part && JSON.parse(unpack(vault.open(run.run_id, part)).toString('utf8'))
}
