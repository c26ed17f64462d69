import type { Db } from '../../db/open.ts'
import type { Guidance } from '../../reports/guidance.ts'
import { getPart } from '../../store/runs/part.ts'
import { unpack } from '../../util/pack.ts'
import type { Vault } from '../keys/vault.ts'

export async function openGuidance(
  db: Db,
  vault: Vault,
  { id, run }: { id: number; run: { run_id: string } },
): Promise<Guidance> {
  return JSON.parse(unpack(vault.open(run.run_id, await getPart(db, id, 'guidance'))).toString('utf8'))
}
