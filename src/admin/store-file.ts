import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Env } from '../config/env.ts'
import { openMasterKeys } from '../config/secrets.ts'
import { placeOfStore, requireStoreFile } from '../config/store-place.ts'
import { openFile } from '../db/open-file.ts'
import { ReltError } from '../errors.ts'
import { restore } from '../operations/store-care/restore.ts'
import { verify } from '../operations/store-care/verify.ts'

export type { RestoreResult } from '../operations/store-care/restore.ts'
export type { VerifyResult } from '../operations/store-care/verify.ts'

interface Place {
  env: Env
  /** Data folder; default: the platform's usual one. */
  data?: string | undefined
  isUnauthenticated?: boolean | undefined
}

/** These functions do not open the store in the folder, which would create or migrate it. */
export function restoreStore(file: string, { env, data, ...options }: Place & { replaces?: string | undefined }) {
  const place = placeOfStore(env, data)
  requireStoreFile(place.env, '`relt admin restore`')
  return restore(file, { ...place, ...options })
}

/** Verifies a file, by default the store itself. Throws `usage` if it does not exist. */
export async function verifyStore(
  file: string | undefined,
  { env, data, ...options }: Place & { onProgress?: (done: number, total: number) => void },
) {
  const place = placeOfStore(env, data)
  const { db, name } =
    file === undefined && place.env.RELT_DATABASE_URL
      ? await openServerDatabase(place.env)
      : openExistingFile(file ?? join(place.folder, 'relt.db'))
  try {
    const source = openMasterKeys(place.env, place.folder)
    return { file: name, ...(await verify(db, { file: name, source, isCopy: file !== undefined, ...options })) }
  } finally {
    await db.destroy()
  }
}

function openExistingFile(file: string) {
  if (!existsSync(file)) throw new ReltError('usage', `${file} cannot be read: no such file.`)
  return { db: openFile(file, { readOnly: true }), name: file }
}

async function openServerDatabase(env: Env) {
  const [{ readDatabaseAddress, nameOfDatabase }, { openPostgres }] = await Promise.all([
    import('../config/database.ts'),
    import('../db/postgres/open.ts'),
  ])
  const address = readDatabaseAddress(env)!
  return { db: await openPostgres(address, { asIs: true }), name: nameOfDatabase(address) }
}
