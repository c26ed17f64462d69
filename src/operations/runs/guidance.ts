import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { ReltError } from '../../errors.ts'
import type { Guidance } from '../../reports/guidance.ts'
import { findPart, getPart, insertParts } from '../../store/runs/part.ts'
import { type LatestRun, lockRuns } from '../../store/runs/run.ts'
import { pack, unpack } from '../../util/pack.ts'
import type { SealedPiece, Vault } from '../keys/vault.ts'

export function sealGuidance(vault: Vault, runId: string, guidance: Guidance): SealedPiece<'guidance'> {
  return vault.seal(runId, 'guidance', 0, pack(JSON.stringify(guidance)))
}

/** For a run that an earlier release stored, it is read from the sealed report once and kept. */
export async function openGuidance(
  db: Db,
  vault: Vault,
  { id, run }: Pick<LatestRun, 'id' | 'run'>,
): Promise<Guidance> {
  const part = await findPart(db, id, 'guidance')
  if (part) return JSON.parse(unpack(vault.open(run.run_id, part)).toString('utf8'))
  const report = unpack(vault.open(run.run_id, await getPart(db, id, 'report')))
  const { readScan } = await import('../../reports/formats/index.ts')
  const { guidance } = await readScan(report, run.format)
  await keep(db, id, sealGuidance(vault, run.run_id, guidance)).catch(allowReadOnly)
  return guidance
}

async function keep(db: Db, id: number, part: SealedPiece<'guidance'>): Promise<void> {
  await write(db, 'nothing', async (trx) => {
    // Another request may have kept it meanwhile, and the run may be gone.
    const [found] = await lockRuns(trx, [id])
    if (found !== undefined && !(await findPart(trx, id, 'guidance'))) await insertParts(trx, id, [part])
  })
}

/** A store on a read-only disk can still be read. */
function allowReadOnly(error: unknown): void {
  if (!(error instanceof ReltError) || error.code !== 'store_read_only') throw error
}
