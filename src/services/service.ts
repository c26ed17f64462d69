import { join } from 'node:path'
import { dataFolder, type Env } from '../config/env.ts'
import { type Plans, readPlans } from '../config/plans.ts'
import { type Db, openDatabase } from '../db/open.ts'
import type { DataKeys, Vault } from './vault.ts'

/** A store, and what the flows over it need. */
export interface Service {
  db: Db
  vault: () => Promise<Vault>
  plans: Plans
  /** Unix seconds. */
  now: () => number
}

interface Opening {
  env: Env
  now: () => number
  /** Of the store; else the usual one. */
  folder?: string | undefined
  /** How long a statement waits for a lock that another process holds. */
  patienceMs?: number
  /** Data keys of the store, when another thread has unwrapped them. */
  keys?: DataKeys | undefined
}

/** Opens the store; its key is asked for when something sealed is. */
export async function openService({ env, now, folder: given, patienceMs, keys }: Opening): Promise<Service> {
  const folder = given || dataFolder(env)
  const plans = readPlans(env)
  const db = await openDatabase(join(folder, 'relt.db'), patienceMs === undefined ? {} : { patienceMs })
  let vault: Promise<Vault> | undefined
  async function unlock(): Promise<Vault> {
    const [{ openVault }, { MasterKeys }] = await Promise.all([import('./vault.ts'), import('../config/secrets.ts')])
    return openVault(db, new MasterKeys(env, folder), { now: now(), keys })
  }
  return {
    db,
    now,
    plans,
    vault: () => {
      vault ??= unlock()
      return vault
    },
  }
}
