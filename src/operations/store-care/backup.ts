import { randomBytes } from 'node:crypto'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { MasterKeys } from '../../config/secrets.ts'
import { copyDatabase, makePartial, orFullDisk, publish, removePartial } from '../../db/copy.ts'
import type { Db } from '../../db/open.ts'
import { openFile } from '../../db/open-file.ts'
import { insteadOf, ReltError } from '../../errors.ts'
import {
  findBrokenRows,
  findManifest,
  makeMovable,
  readFacts,
  type StoreCounts,
  writeManifest,
} from '../../store/store-care/backup.ts'
import { isObject } from '../../util/json.ts'
import { formatTimestamp } from '../../util/time.ts'
import { version } from '../../version.ts'
import { isTag } from '../accounts/tags.ts'
import { readVault, type Vault } from '../keys/vault.ts'
import { noDigest, toDigest, writeDigest } from './backup-digest.ts'

/** Manifest of a backup, in the table `backup_manifest`. */
export interface BackupManifest {
  /** Random; locates the digest in the file. */
  id: string
  /** Digest of the file, see `toDigest`. */
  sha256: string
  /** Keyed hash of the manifest; `noDigest` if the key was not available. */
  mac: string
  relt: string
  made_at: string
  schema: number
  master_key_id: string | null
  counts: StoreCounts
}

interface BackupOptions {
  /** Path of the store's file. */
  store: string
  file: string
  /** Overwrite an existing backup. */
  isForced?: boolean | undefined
  /** Unix seconds. */
  now: number
  /** Source of the store's key, which authenticates the backup. */
  source: Pick<MasterKeys, 'get'>
}

/**
 * Copies a store in use, as of one moment, into one file. The copy is verified before it gets its name, so the file is
 * always either the previous or a valid one. Throws `usage`, `store_full` or `store_unusable`.
 */
export async function backUp({ store, file, isForced, now, source }: BackupOptions) {
  const target = resolve(file)
  await refuseTarget(target, store, isForced === true)
  const partial = makePartial(target)
  try {
    const manifest = await orFullDisk(target, async () => {
      await copyDatabase(store, partial)
      return seal(partial, { now, source })
    })
    publish(partial, target)
    return { file: target, bytes: statSync(target).size, manifest }
  } finally {
    removePartial(partial)
  }
}

/** Writes the manifest of a copy and verifies the copy. */
async function seal(partial: string, { now, source }: Pick<BackupOptions, 'now' | 'source'>): Promise<BackupManifest> {
  const db = openFile(partial)
  try {
    const { schema, masterKeyId: master_key_id, counts } = await readFacts(db)
    const id = randomBytes(16).toString('hex')
    const about = { relt: version, made_at: formatTimestamp(now), schema, master_key_id, counts }
    // `toDigest` locates digest and MAC after the id.
    const manifest: BackupManifest = { id, sha256: noDigest, mac: noDigest, ...about }
    await makeMovable(db)
    await writeManifest(db, JSON.stringify(manifest))
    const broken = await findBrokenRows(db)
    if (broken.length > 0) {
      throw new ReltError('store_unusable', `The store is damaged: ${broken.join('; ')}.`, {
        hint: 'No backup was made. Run `relt admin verify`, and go back to an earlier backup.',
      })
    }
    const found = await toDigest(partial, id)
    if (!found) throw new ReltError('internal', 'The manifest is not in the backup.')
    const whole = { ...manifest, sha256: found.sha256 }
    const vault = await findVault(db, source)
    const mac = vault ? macFor(vault, whole) : noDigest
    await writeDigest(partial, found, mac)
    return { ...whole, mac }
  } finally {
    await db.destroy()
  }
}

/** Undefined if the store's key is not available. */
const findVault = (db: Db, source: Pick<MasterKeys, 'get'>) =>
  readVault(db, source).catch(insteadOf('key_unavailable', undefined))

const macFor = (vault: Vault, manifest: BackupManifest) =>
  vault.keyedHash('backup-manifest', JSON.stringify({ ...manifest, mac: noDigest })).toString('hex')

/** Whether this store wrote the copy; false without a manifest. Null if the store's key is not available. */
export async function isOwnCopy(db: Db, source: Pick<MasterKeys, 'get'>, manifest: BackupManifest | undefined) {
  const vault = await findVault(db, source)
  if (!vault) return null
  return manifest !== undefined && isTag(Buffer.from(macFor(vault, manifest)), Buffer.from(manifest.mac))
}

/** Undefined if the file is not a backup. Throws `store_unusable` for an invalid manifest. */
export async function readManifest(db: Db): Promise<BackupManifest | undefined> {
  const text = await findManifest(db)
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value) && typeof value.id === 'string' && isDigest(value.sha256) && isDigest(value.mac))
      return value as never
  } catch {
    // Reported below.
  }
  throw new ReltError('store_unusable', 'The manifest of the backup is damaged.', { hint: 'Use another backup.' })
}

const isDigest = (value: unknown) => typeof value === 'string' && value.length === noDigest.length

/** Whether the bytes of a backup match the digest in its manifest. */
export async function isIntact(file: string, { id, sha256 }: BackupManifest) {
  return (await toDigest(file, id))?.sha256 === sha256
}

async function refuseTarget(target: string, store: string, isForced: boolean) {
  const folder = dirname(target)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ReltError('usage', `There is no folder ${folder}.`, { hint: 'Create it, or name another one.' })
  }
  const isOfStore =
    realpathSync(folder) === realpathSync(dirname(store)) && basename(target).startsWith(basename(store))
  if (isOfStore) throw new ReltError('usage', `${target} belongs to the store itself.`, { hint: 'Name another file.' })
  if (!existsSync(target)) return
  if (!(await isBackup(target))) {
    throw new ReltError('usage', `${target} exists and is not a backup of relt.`, { hint: 'Name another file.' })
  }
  if (!isForced) {
    throw new ReltError('usage', `${target} exists.`, {
      hint: 'Add --force to replace it.',
    })
  }
}

async function isBackup(file: string) {
  let db: Db | undefined
  try {
    db = openFile(file, { readOnly: true })
    return (await readManifest(db)) !== undefined
  } catch {
    return false
  } finally {
    await db?.destroy()
  }
}
