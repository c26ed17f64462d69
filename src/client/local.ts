import type { Env } from '../config/env.ts'
import { invoke } from '../server/app.ts'
import { openService } from '../services/service.ts'
import { getLocalUser } from '../store/user.ts'
import type { Client } from './client.ts'

/** The service in this process, on the store in the data folder. `now` gives unix seconds. */
export async function createLocalClient({ env, now }: { env: Env; now: () => number }): Promise<Client> {
  const service = await openService({ env, now })
  const user = await getLocalUser(service.db, now())
  return {
    call: (name, input) => invoke(service, name, { ...input, user }),
    close: () => service.db.destroy(),
  }
}
