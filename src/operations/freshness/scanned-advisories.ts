import type { Db } from '../../db/open.ts'
import { ScannedImages } from '../../freshness/scanned-images.ts'
import type { ImageAdvisories } from '../../reports/scan.ts'
import { findLatestOfScanner } from '../../store/runs/latest-run.ts'
import { findPart } from '../../store/runs/part.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import { unpack } from '../../util/pack.ts'
import type { Vault } from '../keys/vault.ts'

/** Advisories about a cluster's images in its latest Trivy report; undefined without such a report. */
export async function findScannedImages(
  db: Db,
  { clusterId }: Pick<StoredRun, 'clusterId'>,
  vault: Vault,
): Promise<ScannedImages | undefined> {
  const scan = await findLatestOfScanner(db, clusterId, 'trivy')
  if (!scan) return undefined
  const { run_id, finished_at, started_at, ingested_at } = scan.run
  const seen_at = finished_at ?? started_at ?? ingested_at
  return new ScannedImages({ run_id, seen_at }, await readAdvisories(db, scan, vault))
}

async function readAdvisories(db: Db, { id, run }: StoredRun, vault: Vault): Promise<ImageAdvisories> {
  const part = await findPart(db, id, 'advisories')
  return part ? JSON.parse(unpack(vault.open(run.run_id, part)).toString('utf8')) : {}
}
