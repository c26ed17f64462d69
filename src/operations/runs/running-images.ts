import type { Db } from '../../db/open.ts'
import { findRunningImages, type RunningImages } from '../../reports/running-images.ts'
import { findInventoryRun } from '../../store/runs/latest-run.ts'
import type { Vault } from '../keys/vault.ts'
import { openContext, type RunContext } from './context.ts'

/** Images that run in the cluster, by its latest inventory. */
export async function openRunningImages(trx: Db, vault: Vault, clusterId: number): Promise<RunningImages> {
  const run = await findInventoryRun(trx, clusterId)
  const context = run && (await openContext(trx, vault, run.id, run.run.run_id))
  return context && isInventory(context) ? findRunningImages(context.artifacts.images) : new Map()
}

/** Whether a scan lists what runs, and not only what it found something in. */
export const isInventory = ({ subjects, artifacts }: Pick<RunContext, 'subjects' | 'artifacts'>): boolean =>
  subjects[0]?.kind === 'cluster' && artifacts.imageSource === 'artifacts'
