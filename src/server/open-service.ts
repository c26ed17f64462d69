import { join } from 'node:path'
import { dataFolder, type Env } from '../config/env.ts'
import { readPlans } from '../config/plans.ts'
import { openDatabase } from '../db/open.ts'
import type { Vault } from '../services/vault.ts'
import type { Service } from './app.ts'

/** The service on the store in the data folder; its key is asked for when something sealed is. `now`: unix seconds. */
export async function openService({ env, now }: { env: Env; now: () => number }): Promise<Service> {
  const folder = dataFolder(env)
  const plans = readPlans(env)
  const db = await openDatabase(join(folder, 'relt.db'))
  let vault: Promise<Vault> | undefined
  async function unlock(): Promise<Vault> {
    const [{ openVault }, { MasterKeys }] = await Promise.all([
      import('../services/vault.ts'),
      import('../config/secrets.ts'),
    ])
    return openVault(db, new MasterKeys(env, folder))
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
