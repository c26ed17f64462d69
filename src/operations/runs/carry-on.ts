import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../db/open.ts'
import { carryOver, joinLooks, withoutCarried } from '../../reports/carry-over.ts'
import { isNewer } from '../../reports/comparability.ts'
import { toBlock } from '../../reports/finding-index.ts'
import { countRanks, placeAt, recordLength } from '../../reports/finding-records.ts'
import { noFindings } from '../../reports/no-findings.ts'
import type { Look, RunFindings } from '../../reports/run-findings.ts'
import { isTakenIn } from '../../store/runs/baseline.ts'
import { forgetRun, rememberFindings } from '../../store/runs/finding-history.ts'
import { findRunAfter, findRunBefore } from '../../store/runs/list-runs.ts'
import { replaceCarried } from '../../store/runs/part.ts'
import { getRunById, setCarried, setGaps } from '../../store/runs/run.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import { pack } from '../../util/pack.ts'
import type { Vault } from '../keys/vault.ts'
import { addsTo } from './build.ts'
import { openContext } from './context.ts'
import { sealCounts } from './counts.ts'
import { gapColumns } from './gaps.ts'
import { openFindings } from './open-findings.ts'
import { openRunningImages } from './running-images.ts'

/**
 * Carries findings that runs of a series did not look at from each to the next, beginning with this run; ends at the first
 * later run that stays as it is. Call it when a run was added or deleted, or taken in as it is, with the
 * cluster's runs locked.
 */
export async function carryOn(trx: Db, vault: Vault, firstId: number): Promise<void> {
  const first = await getRunById(trx, firstId)
  let run: StoredRun | undefined = first
  while (run && ((await carryInto(trx, vault, run)) || run === first)) run = await findRunAfter(trx, run)
}

/** Returns whether the run has changed. */
async function carryInto(trx: Db, vault: Vault, run: StoredRun): Promise<boolean> {
  const { id } = run
  const before = await findRunBefore(trx, run)
  if (!before && run.revision === 0) return false

  const opened = await openFindings(trx, vault, run)
  const own = withoutCarried(opened)
  const blocks = countBlocks(own.index.records)
  const begins = await isTakenIn(trx, id)
  const earlier = before && { ...(await openFindings(trx, vault, before)), at: before.at }
  // A candidate is judged by its own version alone.
  const hasVersions = !run.run.is_candidate && own.subjects.some(({ versions }) => versions)
  const running = earlier && hasVersions ? await openRunningImages(trx, vault, run.clusterId) : new Map()
  const isAddition = before !== undefined && (await addsTo(trx, before, run))
  const carried = earlier && (await carryOver(earlier, own, { begins, blocks, running, isAddition }))
  const joined = earlier && knownAfter(earlier, own)
  const known = begins ? undefined : joined
  const droppedBy = begins && joined ? run.run.run_id : earlier?.droppedBy
  const { index, carriedSubjects, details, counts } = carried ?? { ...own, details: [], counts: noFindings() }
  const { records, checks, namespaces, places } = index
  const isSame = isDeepStrictEqual([known, droppedBy], [opened.known, opened.droppedBy])
  if (isSame && records.equals(opened.index.records)) return false

  const context = await openContext(trx, vault, id, run.run.run_id)
  const changed = { ...context, checks, namespaces, carriedSubjects, known, droppedBy, ...(places && { places }) }
  const parts = [
    vault.seal(run.run.run_id, 'context', 0, pack(JSON.stringify(changed))),
    sealCounts(vault, run.run.run_id, index),
    ...details.map((block, i) => vault.seal(run.run.run_id, 'details', blocks + i, block)),
  ]
  await replaceCarried(trx, id, { parts, records, blocks })
  // A finding that the run has no longer is first seen in the next run that has it, if any.
  if (run.carried) await forgetRun(trx, run)
  await rememberFindings(trx, run, records)
  await setGaps(trx, run, gapColumns(vault, { ...own, known, droppedBy }))
  await setCarried(trx, run, { carried: counts, distinct: countRanks(records) })
  return true
}

/** Undefined if earlier runs looked at no more than this one. */
function knownAfter(before: RunFindings, now: RunFindings): Look | undefined {
  const { subjects, scope, checksNotRun } = now
  const own = { subjects, scope, checksNotRun }
  const isOfNewer = isNewer(now.sourceVersion, before.sourceVersion)
  const known: Look = JSON.parse(JSON.stringify(joinLooks(before.known ?? before, own, isOfNewer)))
  return isDeepStrictEqual(known, own) ? undefined : known
}

/** Blocks of details that these records are in. */
function countBlocks(records: Buffer): number {
  let blocks = 0
  for (let at = 0; at < records.length; at += recordLength) blocks = Math.max(blocks, toBlock(placeAt(records, at)) + 1)
  return blocks
}
