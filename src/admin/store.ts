import { join } from 'node:path'
import type { Env } from '../config/env.ts'
import { openMasterKeys } from '../config/secrets.ts'
import { requireStoreFile } from '../config/store-place.ts'
import type { Db } from '../db/open.ts'
import { ReltError } from '../errors.ts'
import { masterKeyStatus, rotateMasterKey } from '../operations/keys/master-key.ts'
import { makeRecoveryKit } from '../operations/keys/recovery-kit.ts'
import { reencrypt } from '../operations/keys/reencrypt.ts'
import { backUp } from '../operations/store-care/backup.ts'
import { checkSeals } from '../operations/store-care/verify.ts'
import type { Service } from '../service/service.ts'

/** Continues without an audit entry, because a backup is needed most when the store's disk is full or failing. */
const unwritable = ['store_full', 'store_read_only', 'store_unusable']

/** Limits for a command that must answer quickly. */
const someSeals = { pieces: 1000, bytes: 50_000_000 }

/** Administration of a store's keys and backups. */
export type StoreAdmin = ReturnType<typeof createStoreAdmin>

export function createStoreAdmin(
  { db, vault, now }: Service,
  place: { env: Env; folder: string },
  record: (action: string, subject?: string, trx?: Db) => Promise<void>,
) {
  const { env, folder } = place
  const source = openMasterKeys(env, folder)
  return {
    /** `isRecorded` is false if the store could not save the audit entry. */
    async backUp(file: string, options: { isForced?: boolean | undefined } = {}) {
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
    async reencrypt(onProgress: (done: number, total: number) => void) {
      const result = await reencrypt(db, { vault, source, now: now(), onProgress })
      await record('master-key.reencrypt')
      return result
    },
    /** The key in plain text, or encrypted to age recipients. */
    async recoveryKit(recipients: string[]) {
      await vault()
      const kit = await makeRecoveryKit(db, { source, recipients, now: now() })
      await record('master-key.recovery-kit', kit.master_key_id)
      return kit
    },
    /** Opens some of the sealed pieces, newest first. */
    checkSomeSeals: async () => checkSeals(db, await vault(), someSeals),
  }
}
