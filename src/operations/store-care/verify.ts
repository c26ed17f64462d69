import { setImmediate as giveWay } from 'node:timers/promises'
import type { MasterKeys } from '../../config/secrets.ts'
import { databaseFor } from '../../db/kind.ts'
import type { Db } from '../../db/open.ts'
import { ReltError } from '../../errors.ts'
import { findPiece, listPlaces, type StoredPiece } from '../../store/keys/sealed-piece.ts'
import { findBrokenRows, readFacts, type StoreFacts } from '../../store/store-care/backup.ts'
import { findForeignGrants } from '../accounts/check-tags.ts'
import { readVault, type Vault } from '../keys/vault.ts'
import { type BackupManifest, isIntact, isOwnCopy, readManifest } from './backup.ts'

type OnProgress = (done: number, total: number) => void

export interface VerifyResult {
  schema: number
  /** Null for a store in use, and for a copy that is not a backup. */
  made_at: string | null
  master_key_id: string | null
  counts: StoreFacts['counts'] | null
  /** Number of sealed pieces that were opened. */
  pieces: number
  /** The first problems, at most `maxProblems`. */
  problems: string[]
  problems_count: number
  /** Whether the store itself wrote the backup; null for a store in use, and if its key is not available. */
  authenticated: boolean | null
  /**
   * Why sealed pieces were not opened: the master key is missing or a different one. This is not damage. Null: they were
   * opened.
   */
  not_decrypted: string | null
  /** Checks that relt cannot make in this kind of database. */
  not_checked: string[]
}

const maxProblems = 100

const fileOnly = ['pages and indexes, for which PostgreSQL has pg_amcheck']

interface CheckOptions {
  file: string
  source: MasterKeys
  /** The file is a backup or another copy of a store. */
  isCopy?: boolean
  /** Do not report a copy that the store did not write as a problem. */
  isUnauthenticated?: boolean | undefined
  onProgress?: OnProgress
}

/**
 * Reads a whole store or backup: pages, rows, and every sealed piece, one at a time. Read-only. `file` is the address of a
 * PostgreSQL database.
 */
export async function verify(
  db: Db,
  { file, source, isCopy = false, isUnauthenticated = false, onProgress }: CheckOptions,
): Promise<VerifyResult> {
  const facts = await readFacts(db).catch((cause) => {
    throw new ReltError('store_unusable', `${file} is not a store of relt, or its beginning is damaged.`, { cause })
  })
  const problems: string[] = []
  const isFile = databaseFor(db) === 'sqlite'
  const manifest = isFile ? await readManifest(db) : undefined
  if (manifest) problems.push(...(await compareManifest(file, manifest, facts)))
  const isOwn = isCopy ? await isOwnCopy(db, source, manifest) : null
  if (isOwn === false && !isUnauthenticated) {
    problems.push(manifest ? 'this store did not write its manifest' : 'it has no manifest')
  }
  problems.push(...(await findBrokenRows(db).catch((error: Error) => [error.message])))
  const { opened, damaged, notDecrypted = null } = await checkWithKey(db, source, onProgress).catch(unopened)
  problems.push(...damaged)
  return {
    schema: facts.schema,
    made_at: manifest?.made_at ?? null,
    master_key_id: facts.masterKeyId,
    counts: facts.counts,
    pieces: opened,
    problems: problems.slice(0, maxProblems),
    problems_count: problems.length,
    authenticated: isOwn,
    not_decrypted: notDecrypted,
    not_checked: isFile ? [] : fileOnly,
  }
}

function unopened(error: Error): Checked {
  const isKeyless = error instanceof ReltError && error.code === 'key_unavailable'
  if (isKeyless) return { opened: 0, damaged: [], notDecrypted: error.message }
  return { opened: 0, damaged: [`sealed pieces were not opened: ${error.message}`] }
}

async function compareManifest(file: string, manifest: BackupManifest, { schema, counts }: StoreFacts) {
  const other = Object.entries(manifest.counts).filter(
    ([table, count]) => counts[table as keyof typeof counts] !== count,
  )
  return [
    ...((await isIntact(file, manifest)) ? [] : ['the file changed since the backup']),
    ...(manifest.schema === schema ? [] : [`its schema is ${schema}, not ${manifest.schema}`]),
    ...other.map(([table, count]) => `${table} has not the ${count} rows that were backed up`),
  ]
}

interface Checked {
  opened: number
  damaged: string[]
  notDecrypted?: string
}

/** Checks sealed data and access grants. Throws `key_unavailable`. */
async function checkWithKey(db: Db, source: MasterKeys, onProgress: OnProgress | undefined): Promise<Checked> {
  const vault = await readVault(db, source)
  if (!vault) return { opened: 0, damaged: [] }
  const { opened, damaged } = await checkSeals(db, vault, { onProgress })
  return { opened, damaged: [...damaged, ...(await findForeignGrants(db, vault))] }
}

/** Opens sealed pieces, newest runs first; all, or up to the given limits. Names the damaged ones as `kind of owner`. */
export async function checkSeals(
  db: Db,
  vault: Vault,
  bounds: { pieces?: number; bytes?: number; onProgress?: OnProgress | undefined } = {},
) {
  const { pieces = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY, onProgress } = bounds
  const places = (await listPlaces(db)).sort((a, b) => b.row - a.row)
  const damaged: string[] = []
  let opened = 0
  let read = 0
  for (const [done, place] of places.entries()) {
    if (done >= pieces || read >= bytes) break
    const piece = await findPiece(db, place).catch((error: Error) => error)
    if (piece instanceof Error) {
      const { table, row, kind, part } = place
      damaged.push(`${kind} ${part} in row ${row} of ${table} cannot be read: ${piece.message}`)
    } else if (piece) {
      if (opens(vault, piece)) opened++
      else damaged.push(`${piece.kind} ${piece.part} of ${piece.owner} does not open`)
      read += piece.sealed.length
    }
    onProgress?.(done + 1, places.length)
    if (done % 64 === 0) await giveWay()
  }
  return { opened, total: places.length, damaged }
}

function opens(vault: Vault, piece: StoredPiece) {
  try {
    vault.open(piece.owner, piece)
    return true
  } catch (error) {
    if (error instanceof ReltError) return false
    throw error
  }
}
