import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder, type Env } from '../config/env.ts'
import { readMaxAge } from '../config/max-age.ts'
import { type Plans, readPlans } from '../config/plans.ts'
import { readTimeZone } from '../config/time-zone.ts'
import { factsLimit, usualFactsDays } from '../contract/facts-age.ts'
import { findMeta } from '../db/meta.ts'
import { type Db, type NewStore, openDatabase } from '../db/open.ts'
import type { DataKeys, Unlock, Vault } from '../operations/keys/vault.ts'
import type { AllowedWebhooks } from '../operations/notifications/check-webhooks.ts'
import type { Carrier } from '../operations/notifications/deliver.ts'
import { defined } from '../util/defined.ts'

/** A store, with its dependencies. */
export interface Service {
  db: Db
  vault: Unlock
  plans: Plans
  /** Unix seconds. */
  now: () => number
  /** Opens a carrier for notifications, which the caller closes; undefined if delivery is disabled. */
  carrier?: () => Promise<Carrier | undefined>
  /** A server computes the figures of clusters at upload and in the background; otherwise a read computes missing ones. */
  keepsFigures?: boolean
  /** Environments to upgrade first in plans of several clusters, such as `dev,staging`. */
  environments?: string | undefined
  /** Zone in which the time of news is counted; undefined: that of the machine. */
  timeZone?: string | undefined
  /** Undefined: webhooks may only use https to public hosts. */
  allowedWebhooks?: AllowedWebhooks | undefined
}

interface ServiceOptions {
  env: Env
  now: () => number
  /** Data folder, which contains the SQLite file unless `env` names a database; default: that of `env`. */
  folder?: string | undefined
  /** How long a statement waits for a lock of another process. */
  patienceMs?: number
  /** Data keys of the store, if another thread has unwrapped them. */
  keys?: DataKeys | undefined
}

/** Opens the store; its key is only requested for sealed data. */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { env, now, folder = dataFolder(env), keys, patienceMs } = options
  const plans = readPlans(env)
  factsLimit.days = readMaxAge(env) ?? usualFactsDays
  // A key in the environment does not prove that the folder has a store.
  const keyFile = env.RELT_MASTER_KEY || env.RELT_MASTER_KEY_COMMAND ? undefined : join(folder, 'master.key')
  const db = env.RELT_DATABASE_URL
    ? await openServerDatabase(env)
    : await openDatabase(join(folder, 'relt.db'), { keyFile, newStore: newStoreFor(now), ...defined({ patienceMs }) })
  let vault: Promise<Vault> | undefined
  async function unlock() {
    const [{ openVault }, { openMasterKeys }] = await Promise.all([
      import('../operations/keys/vault.ts'),
      import('../config/secrets.ts'),
    ])
    return openVault(db, openMasterKeys(env, folder), { now: now(), keys })
  }
  const service: Service = {
    db,
    now,
    plans,
    environments: env.RELT_ENVIRONMENTS,
    timeZone: readTimeZone(env),
    allowedWebhooks: env.RELT_WEBHOOK_ALLOW ? (await import('../config/delivery.ts')).readWebhookAllow(env) : undefined,
    vault: () => {
      vault ??= unlock()
      return vault
    },
    carrier: async () => (await import('../operations/notifications/carrier.ts')).openCarrier(env, now, service),
  }
  // A new store next to a key file adopts the key at once: otherwise it would look like one that lost its WAL.
  if (keyFile && existsSync(keyFile) && (await findMeta(db, 'master_key_id')) === undefined) {
    await service.vault().catch(() => undefined)
  }
  return service
}

/** The folder still contains the master key and the spool. */
async function openServerDatabase(env: Env): Promise<Db> {
  const [{ readDatabaseAddress }, { openPostgres }] = await Promise.all([
    import('../config/database.ts'),
    import('../db/postgres/open.ts'),
  ])
  return openPostgres(readDatabaseAddress(env)!)
}

function newStoreFor(now: () => number): NewStore {
  return {
    read: async () => (await import('../catalog/new-store.ts')).readNewStore(),
    settle: async (db) => (await import('../store/store-care/new-store.ts')).stampProjects(db, now()),
  }
}
