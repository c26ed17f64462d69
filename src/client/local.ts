import { join } from 'node:path'
import { dataFolder, type Env } from '../config/env.ts'
import { openDatabase } from '../db/open.ts'
import { invoke } from '../server/app.ts'
import type { Vault } from '../services/vault.ts'
import { getLocalUser } from '../store/user.ts'
import type { Client } from './client.ts'

/** The service in this process, on the store in the data folder. `now` gives unix seconds. */
export async function createLocalClient({ env, now }: { env: Env; now: () => number }): Promise<Client> {
  const folder = dataFolder(env)
  const db = await openDatabase(join(folder, 'relt.db'))
  const user = await getLocalUser(db, now())
  let vault: Promise<Vault> | undefined
  const service = {
    db,
    now,
    vault: () => {
      vault ??= unlock()
      return vault
    },
  }
  async function unlock(): Promise<Vault> {
    const [{ openVault }, { MasterKeys }] = await Promise.all([
      import('../services/vault.ts'),
      import('../config/secrets.ts'),
    ])
    return openVault(db, new MasterKeys(env, folder))
  }
  return {
    call: (name, input) => invoke(service, name, { ...input, user }),
    close: () => db.destroy(),
  }
}
