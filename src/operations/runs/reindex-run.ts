import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import type { Artifacts } from '../../reports/artifact.ts'
import { describeScan } from '../../reports/describe-run.ts'
import { countRanks } from '../../reports/finding-records.ts'
import { identityVersion } from '../../reports/fingerprint.ts'
import { readScan } from '../../reports/formats/index.ts'
import type { Scan } from '../../reports/scan.ts'
import { withStated } from '../../reports/stated-look.ts'
import { rememberEarlier } from '../../store/runs/earlier-finding.ts'
import { forgetFirstRun, rememberFindings } from '../../store/runs/finding-history.ts'
import { isOutdated, type OutdatedRun, reidentifyRun } from '../../store/runs/identity.ts'
import { getPart, replaceIndex } from '../../store/runs/part.ts'
import { lockRuns, setGaps } from '../../store/runs/run.ts'
import { unpack } from '../../util/pack.ts'
import type { Vault } from '../keys/vault.ts'
import { findGapColumns } from './accepted-scope.ts'
import { carryOn } from './carry-on.ts'
import { contextFor, openContext } from './context.ts'
import { findMovedFingerprints } from './earlier-findings.ts'
import { sealParts, storedRecords } from './ingest.ts'

/** Indexes a run again from its sealed report, by current rules. */
export async function reindexRun(db: Db, run: OutdatedRun, vault: Vault): Promise<void> {
  const { id, runId, format } = run
  const report = unpack(vault.open(runId, await getPart(db, id, 'report')))
  const before = await openContext(db, vault, id, runId)
  const read = withStated(await readScan(report, format, before.artifacts.owners), before.stated ?? {})
  const scan: Scan = { ...read, artifacts: withKeptInventory(read.artifacts, before.artifacts) }
  const records = storedRecords(vault, scan.index)
  const [, ...parts] = sealParts(vault, runId, {
    report: Buffer.alloc(0),
    details: scan.index.details,
    context: contextFor(scan),
    advisories: scan.imageAdvisories,
    guidance: scan.guidance,
  })
  const reread = { report, context: before, nodes: scan.index.places?.nodes, records }
  const moved = await findMovedFingerprints(db, vault, run, reread)
  await write(db, `cluster:${run.clusterId} runs`, async (trx) => {
    await lockRuns(trx, [id])
    if (!(await isOutdated(trx, id, identityVersion))) return
    await rememberEarlier(trx, run.clusterId, moved)
    await forgetFirstRun(trx, run)
    await replaceIndex(trx, id, { parts, records })
    await rememberFindings(trx, run, records)
    await reidentifyRun(trx, id, describeScan(scan), { identityVersion, distinct: countRanks(records) })
    await setGaps(trx, run, await findGapColumns(trx, vault, run.seriesId, { ...contextFor(scan), at: run.at }))
    await carryOn(trx, vault, id)
  })
}

const besideReport = ['owners', 'ownerLabels', 'nodes', 'wanted', 'apis', 'unread', 'gaps', 'provider'] as const

/** Keeps an inventory that was uploaded with the report, because it is stored nowhere else. */
function withKeptInventory(read: Artifacts, kept: Artifacts): Artifacts {
  if (read.imageSource !== 'artifacts' && kept.imageSource === 'artifacts') return kept
  const beside = Object.fromEntries(besideReport.flatMap((key) => (kept[key] === undefined ? [] : [[key, kept[key]]])))
  if (read.imageSource === 'artifacts') return { ...read, ...beside }
  return { ...read, ...beside, charts: kept.charts, apps: kept.apps }
}
