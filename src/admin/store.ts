import { join } from 'node:path'
import type { Env } from '../config/env.ts'
import { MasterKeys } from '../config/secrets.ts'
import { requireStoreFile } from '../config/store-place.ts'
import type { Db } from '../db/open.ts'
import { ReltError } from '../errors.ts'
import { type MasterKeyStatus, masterKeyStatus, type Rotation, rotateMasterKey } from '../operations/keys/master-key.ts'
import { makeRecoveryKit, type RecoveryKit } from '../operations/keys/recovery-kit.ts'
import { type ReencryptResult, reencrypt } from '../operations/keys/reencrypt.ts'
import { type BackupResult, backUp } from '../operations/store-care/backup.ts'
import { checkSeals } from '../operations/store-care/verify.ts'
import type { Service } from '../service/service.ts'

type OnProgress = (done: number, total: number) => void

/** Administration of a store's keys and backups. */
export interface StoreAdmin {
  /** `isRecorded` is false if the store could not save the audit entry. */
  backUp(
    file: string,
    options?: { keep?: number | undefined; isForced?: boolean | undefined },
  ): Promise<BackupResult & { isRecorded: boolean }>
  masterKeyStatus(): Promise<MasterKeyStatus>
  rotateMasterKey(): Promise<Rotation>
  reencrypt(onProgress: OnProgress): Promise<ReencryptResult>
  /** The key in plain text, or encrypted to age recipients. */
  recoveryKit(recipients: string[]): Promise<RecoveryKit>
  /** Opens some of the sealed pieces, newest first. */
  checkSomeSeals(): Promise<{ opened: number; total: number; damaged: string[] }>
}

interface StoreAdminOptions {
  env: Env
  folder: string
  record: (action: string, subject?: string, trx?: Db) => Promise<void>
}

/** Continues without an audit entry, because a backup is needed most when the store's disk is full or failing. */
const unwritable = ['store_full', 'store_read_only', 'store_unusable']

/** Limits for a command that must answer quickly. */
const someSeals = { pieces: 1000, bytes: 50_000_000 }

export function createStoreAdmin(service: Service, { env, folder, record }: StoreAdminOptions): StoreAdmin {
  const { db, vault, now } = service
  const source = new MasterKeys(env, folder)
  return {
    async backUp(file, options = {}) {
      requireStoreFile(env, '`relt admin backup`')
      const backup = await backUp({ store: join(folder, 'relt.db'), file, ...options, now: now(), source })
      try {
        await record('store.backup', backup.file)
        return { ...backup, isRecorded: true }
      } catch (error) {
        if (!(error instanceof ReltError && unwritable.includes(error.code))) throw error
        return { ...backup, isRecorded: false }
      }
    },
    masterKeyStatus: () => masterKeyStatus(db, source),
    rotateMasterKey: () => rotateMasterKey(db, { source, record: (trx, id) => record('master-key.rotate', id, trx) }),
    async reencrypt(onProgress) {
      const result = await reencrypt(db, { vault, source, now: now(), onProgress })
      await record('master-key.reencrypt')
      return result
    },
    async recoveryKit(recipients) {
      await vault()
      const kit = await makeRecoveryKit(db, { source, recipients, now: now() })
      await record('master-key.recovery-kit', kit.master_key_id)
      return kit
    },
    checkSomeSeals: async () => checkSeals(db, await vault(), someSeals),
  }
}
