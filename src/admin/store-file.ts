import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Env } from '../config/env.ts'
import { MasterKeys } from '../config/secrets.ts'
import { placeOfStore, requireStoreFile } from '../config/store-place.ts'
import { openFile } from '../db/open.ts'
import { ReltError } from '../errors.ts'
import { type RestoreResult, restore } from '../operations/restore.ts'
import { type VerifyResult, verify } from '../operations/verify.ts'

interface Place {
  env: Env
  /** Data folder; the platform's usual one by default. */
  data?: string | undefined
}

/** Neither opens the store of the folder, which would create or migrate it. */
export function restoreStore(file: string, { env, data }: Place): Promise<RestoreResult> {
  const place = placeOfStore(env, data)
  requireStoreFile(place.env, '`relt admin restore`')
  return restore(file, place)
}

/** Verifies a file, or the store itself by default. Throws `usage` when there is none. */
export async function verifyStore(
  file: string | undefined,
  { env, data, onProgress }: Place & { onProgress?: (done: number, total: number) => void },
): Promise<VerifyResult & { file: string }> {
  const place = placeOfStore(env, data)
  const { folder } = place
  if (file === undefined) requireStoreFile(place.env, '`relt admin verify` without a file')
  const path = file ?? join(folder, 'relt.db')
  if (!existsSync(path)) throw new ReltError('usage', `${path} cannot be read: no such file.`)
  const db = openFile(path, { readOnly: true })
  try {
    const source = new MasterKeys(env, folder)
    return { file: path, ...(await verify(db, { file: path, source, ...(onProgress && { onProgress }) })) }
  } finally {
    await db.destroy()
  }
}
