import type { Db } from '../db/open.ts'
import type { RunFindings } from '../reports/run-findings.ts'
import type { LatestRun } from '../store/run.ts'
import { getFindingRecords, getPart } from '../store/run-part.ts'
import { unpack } from '../util/pack.ts'
import { openContext } from './run-context.ts'
import type { Vault } from './vault.ts'

/** A run that is indexed by today's rules, as comparing and listing need it. */
export async function openFindings(
  db: Db,
  vault: Vault,
  { id, run }: Pick<LatestRun, 'id' | 'run'>,
): Promise<RunFindings> {
  const [records, { scope, checks, namespaces, checksNotRun, suppressed }] = await Promise.all([
    getFindingRecords(db, id),
    openContext(db, vault, id, run.run_id),
  ])
  return {
    format: run.format,
    scope,
    checksNotRun,
    index: { records, checks, namespaces, suppressed },
    details: async (block) => unpack(vault.open(run.run_id, await getPart(db, id, 'details', block))),
    showFingerprints: (stored) => vault.showFingerprints(stored),
  }
}
