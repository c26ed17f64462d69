import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Env } from '../../config/env.ts'
import { type MasterKey, type MasterKeys, openMasterKeys } from '../../config/secrets.ts'
import { copyDatabase, makePartial, orFullDisk, publishNew, removePartial } from '../../db/copy.ts'
import { newerStore, newestSchema } from '../../db/migrations.ts'
import { openFile } from '../../db/open-file.ts'
import { ReltError } from '../../errors.ts'
import { dropManifest, findBrokenRows, makeMovable, readFacts, type StoreFacts } from '../../store/store-care/backup.ts'
import { unreadable } from '../../util/file-error.ts'
import { makeFolder } from '../../util/make-folder.ts'
import { compareGrants, type GrantDifferences, readGrants } from '../accounts/compare-grants.ts'
import { type BackupManifest, isIntact, isOwnCopy, readManifest } from './backup.ts'

export interface RestoreResult {
  store: string
  schema: number
  /** Null for a copy not made by `relt admin backup`. */
  made_at: string | null
  counts: StoreFacts['counts']
  /** Null: it contains no sealed data yet. */
  master_key: { id: string; available: boolean; error: string | null } | null
  /** Whether the store itself wrote it; null if the key to verify that is not available. */
  authenticated: boolean | null
  /** Logins of accounts with the role admin. */
  administrators: string[]
  /** Differences in access between this copy and the store that it replaces; null if none was named. */
  differences: GrantDifferences | null
}

interface RestoreOptions {
  env: Env
  folder: string
  /** Accept a backup that the store did not write. */
  isUnauthenticated?: boolean | undefined
  /** File or data folder of the store to be replaced. */
  replaces?: string | undefined
}

/**
 * Creates a store from a backup, or another copy, in a folder without one, completely or not at all. Throws `usage` if the
 * folder is in use, `store_unusable` for a damaged file or one from a newer relt.
 */
export async function restore(
  file: string,
  { env, folder, isUnauthenticated = false, replaces }: RestoreOptions,
): Promise<RestoreResult> {
  const { manifest, facts, isOwn } = await readBackup(file, openMasterKeys(env, folder))
  if (isOwn === false && !isUnauthenticated) throw unknownAuthor(file, manifest)
  refuseFullFolder(folder)
  const grants = await readGrants(file)
  const differences = replaces === undefined ? null : compareGrants(await readGrants(storeAt(replaces)), grants)
  makeFolder(folder)
  const store = join(resolve(folder), 'relt.db')
  const partial = makePartial(store)
  try {
    await orFullDisk(store, async () => {
      await copyDatabase(file, partial)
      await check(partial, file)
    })
    publishNew(partial, store)
  } finally {
    removePartial(partial)
  }
  return {
    store,
    schema: facts.schema,
    made_at: manifest?.made_at ?? null,
    counts: facts.counts,
    master_key: await findKey(facts, { env, folder }),
    authenticated: isOwn,
    administrators: grants.administrators,
    differences,
  }
}

function storeAt(path: string) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, 'relt.db') : path
}

async function readBackup(file: string, source: MasterKeys) {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats?.isFile()) throw unreadable(file, { code: stats?.isDirectory() ? 'EISDIR' : 'ENOENT' })
  const db = openFile(file, { readOnly: true })
  try {
    const facts = await readFacts(db).catch((cause) => {
      throw new ReltError('store_unusable', `${file} is not a backup of relt.`, {
        hint: 'Use a file that `relt admin backup` wrote.',
        cause,
      })
    })
    if (facts.schema > newestSchema()) throw newerStore(file)
    const manifest = await readManifest(db)
    if (manifest && !(await isIntact(file, manifest))) throw damaged(file, 'the file changed since the backup')
    return { manifest, facts, isOwn: await isOwnCopy(db, source, manifest) }
  } finally {
    await db.destroy()
  }
}

async function check(partial: string, file: string) {
  const db = openFile(partial)
  try {
    await makeMovable(db)
    const broken = await findBrokenRows(db)
    if (broken.length > 0) throw damaged(file, broken.join('; '))
    await dropManifest(db)
  } finally {
    await db.destroy()
  }
}

function unknownAuthor(file: string, manifest: BackupManifest | undefined) {
  const why = manifest ? 'was not written by this store, or was changed since' : 'has no manifest'
  return new ReltError('store_unusable', `${file} ${why}: it may give access to others.`, {
    hint: 'Use another backup. For a copy that is no backup, add --unauthenticated.',
  })
}

const damaged = (file: string, why: string) =>
  new ReltError('store_unusable', `${file} is damaged: ${why}.`, { hint: 'Use another backup.' })

/** Files allowed in a folder that has no store yet. */
const ownFiles =
  /^(master\.key(\.[0-9a-f]{16})?|config\.json|credentials\.(json|key)|spool(\.key)?|cache|backups|\.relt\.db\.[0-9a-f]{12}\.partial(-journal|-wal|-shm|-lock)?)$/

/** Throws `usage` if the folder contains anything but relt's own files. */
function refuseFullFolder(folder: string) {
  const found = existsSync(folder) ? readdirSync(folder).filter((name) => !ownFiles.test(name)) : []
  if (found.length === 0) return
  const hint = `Name an empty folder with --data, or move the store away: relt.db, relt.db-wal and relt.db-shm.`
  const message = found.some((name) => name.startsWith('relt.db'))
    ? `${folder} has a store already.`
    : `${folder} is not empty: ${found.slice(0, 3).join(', ')}.`
  throw new ReltError('usage', message, { hint })
}

/** Whether the master key that the store needs is available. Null: it contains no sealed data yet. */
export async function findKey(
  { masterKeyId: id, masterKeyPlace: place }: Pick<StoreFacts, 'masterKeyId' | 'masterKeyPlace'>,
  { env, folder }: { env: Env; folder: string },
): Promise<RestoreResult['master_key']> {
  if (id === null) return null
  const error = await openMasterKeys(env, folder)
    .get(id, place as MasterKey['place'])
    .then(
      () => null,
      (error: Error) => error.message,
    )
  return { id, available: error === null, error }
}
