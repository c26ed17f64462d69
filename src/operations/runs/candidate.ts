import type { Run } from '../../contract/cluster-report.ts'
import type { Db } from '../../db/open.ts'
import type { ImageArtifact } from '../../reports/artifact.ts'
import { nameOfImage, nameOfSubjects, type Subject } from '../../reports/ledger.ts'
import { isRunning, type RunningImages } from '../../reports/running-images.ts'
import { findBranch, setBranch } from '../../store/runs/cluster.ts'
import { forgetRun, rememberFindings } from '../../store/runs/finding-history.ts'
import { findLatestOfSeries } from '../../store/runs/latest-run.ts'
import { findRunBefore, listImageSeries, listRunsOfSeries } from '../../store/runs/list-runs.ts'
import { getFindingRecords } from '../../store/runs/records.ts'
import { getRunById, setCandidate } from '../../store/runs/run.ts'
import { setEnd } from '../../store/runs/series.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import { count } from '../../util/words.ts'
import type { Vault } from '../keys/vault.ts'
import { carryOn } from './carry-on.ts'
import { openContext, type RunContext } from './context.ts'
import { endSubject } from './ends.ts'
import { isInventory, openRunningImages } from './running-images.ts'

/** A scan that is about to be stored. */
interface NewScan {
  subjects: Subject[]
  ci: Run['ci']
  /** The branch that a policy names. */
  branch: string | null | undefined
}

/**
 * Whether a run is judged only, and not part of the cluster's state: the run of a pull request; of a version of an image that
 * does not run, if an inventory knows which do; or of an image, folder or tool on a branch other than the cluster's. That is
 * the one that a policy names, or the branch of the first run. A live cluster is its own state, whichever branch scans it,
 * and a run without a branch, such as that of a tag, counts as well. Call it with the cluster's runs locked.
 */
export async function isCandidate(
  trx: Db,
  vault: Vault,
  clusterId: number,
  { subjects, ci, branch }: NewScan,
): Promise<boolean> {
  if (ci?.pull_request) return true
  const own = ci?.branch
  const known = await findBranch(trx, clusterId)
  const state = branch ?? known ?? own
  if (state !== undefined && state !== known) await setBranch(trx, clusterId, state)
  const runs = await doRun(trx, vault, clusterId, subjects)
  if (runs !== undefined) return !runs
  return own !== undefined && own !== state && subjects.every(({ kind }) => kind !== 'cluster' && kind !== 'benchmark')
}

/** Whether any of these images runs in this version; undefined if no inventory knows. */
async function doRun(trx: Db, vault: Vault, clusterId: number, subjects: Subject[]): Promise<boolean | undefined> {
  if (!subjects.some(({ versions }) => versions)) return undefined
  return doRunIn(await openRunningImages(trx, vault, clusterId), subjects)
}

function doRunIn(running: RunningImages, subjects: Subject[]): boolean | undefined {
  const known = subjects.flatMap((subject) => isRunning(running, subject) ?? [])
  return known.length === 0 ? undefined : known.includes(true)
}

/** Runs of a series that are looked at for the versions that run now. */
const mostRuns = 20
/** Earlier inventories that are looked at for an image that runs no longer. */
const mostInventories = 5

/**
 * After an inventory: the state of an image is that of the latest scans of the versions that run, and later scans of others are
 * candidates. An image ends that an earlier inventory listed and this one lacks, if it read every namespace that had it.
 * Returns a sentence for each that ended. Call it with the cluster's runs locked.
 */
export async function followInventory(
  trx: Db,
  vault: Vault,
  { id: inventoryId, clusterId }: Pick<StoredRun, 'id' | 'clusterId'>,
  context: RunContext,
): Promise<string[]> {
  const images = isInventory(context) ? await listImageSeries(trx, clusterId) : []
  if (images.length === 0) return []
  const inventory = await getRunById(trx, inventoryId)
  const running = await openRunningImages(trx, vault, clusterId)
  const ends: string[] = []
  for (const { id, ended_at } of images) {
    await settle(trx, vault, id, running)
    const run = await findLatestOfSeries(trx, id)
    if (!run) continue
    const { subjects } = await openContext(trx, vault, run.id, run.run.run_id)
    const isListed = subjects.some(({ name }) => running.has(name))
    if (isListed && ended_at !== null) await setEnd(trx, id, null)
    if (isListed || ended_at !== null || context.artifacts.gaps) continue
    const had = await findPlaces(trx, vault, inventory, subjects)
    if (!had?.every((image) => wasRead(context, image))) continue
    const reason = `The inventory of ${inventory.run.run_id} no longer lists it.`
    await endSubject(trx, vault, run, { at: inventory.at, reason, by: null })
    const { total, critical } = run.run.findings
    ends.push(
      `Ended: ${run.run.format} ${nameOfSubjects(subjects)}, ${count(total, 'finding')}, ${critical} critical. It no longer runs.`,
    )
  }
  return ends
}

/** An image in the last inventory that had it. */
async function findPlaces(trx: Db, vault: Vault, inventory: StoredRun, subjects: Subject[]) {
  const names = new Set(subjects.map(({ name }) => name))
  let run: StoredRun | undefined = inventory
  for (let i = 0; i < mostInventories; i++) {
    run = await findRunBefore(trx, run)
    if (!run) return undefined
    const context = await openContext(trx, vault, run.id, run.run.run_id)
    const images = context.artifacts.images.filter(({ reference }) => names.has(nameOfImage(reference)))
    if (images.length > 0 && isInventory(context)) return images
  }
  return undefined
}

/** Kinds that have pods as long as they are there. */
const lasting = /^(?:deployment|statefulset|daemonset|replicaset)\//

/**
 * Whether an inventory shows that an image runs no longer where it ran. One with owners, as those of relt, lists templates
 * without pods, and lacks a namespace only if that was deleted.
 */
function wasRead({ scope, artifacts }: RunContext, { namespace, workload }: ImageArtifact): boolean {
  if (namespace === null) return false
  if (scope.excludedNamespaces.includes(namespace) || scope.includedNamespaces?.includes(namespace) === false)
    return false
  if (artifacts.owners !== undefined) return true
  return lasting.test(workload ?? '') && artifacts.images.some((image) => image.namespace === namespace)
}

async function settle(trx: Db, vault: Vault, seriesId: number, running: RunningImages): Promise<void> {
  const later: StoredRun[] = []
  const changed: StoredRun[] = []
  const seen = new Set<string>()
  for (const run of await listRunsOfSeries(trx, seriesId, mostRuns)) {
    if (run.run.ci?.pull_request) continue
    const { subjects } = await openContext(trx, vault, run.id, run.run.run_id)
    const versions = subjects.flatMap((subject) => subject.versions ?? [])
    if (versions.length === 0) return
    const runs = doRunIn(running, subjects)
    if (runs === undefined) break
    if (!runs) later.push(run)
    else if (!versions.some((version) => seen.has(version))) {
      if (seen.size === 0) changed.push(...later.filter((each) => !each.run.is_candidate))
      for (const version of versions) seen.add(version)
      if (run.run.is_candidate) changed.push(run)
      else if (run.carried && changed.length === 0) await carryOn(trx, vault, run.id)
    }
  }
  for (const run of changed) {
    const isState = run.run.is_candidate === true
    if (!isState) await forgetRun(trx, run)
    await setCandidate(trx, run, !isState)
    if (isState) await rememberFindings(trx, run, await getFindingRecords(trx, run.id))
  }
  const first = changed.at(-1)
  if (first) await carryOn(trx, vault, first.id)
}
