import { setImmediate as giveWay } from 'node:timers/promises'
import type { MasterKeys } from '../../config/secrets.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { ReltError } from '../../errors.ts'
import { insertDataKey, listDataKeys, removeUnusedKeys, retireSealKeys } from '../../store/keys/data-key.ts'
import {
  findPiece,
  listPlaces,
  type PiecePlace,
  replacePiece,
  type StoredPiece,
} from '../../store/keys/sealed-piece.ts'
import { findMasterKey, newDataKey, noMasterKey, type Unlock, type Vault } from './vault.ts'

interface ReencryptOptions {
  vault: Unlock
  source: Pick<MasterKeys, 'get'>
  /** Unix seconds. */
  now: number
  onProgress?: (done: number, total: number) => void
}

/** Bytes re-encrypted in one transaction, small enough that uploads need not wait. */
const batchBytes = 4_000_000

/**
 * Encrypts everything again with a new data key, in small transactions, then removes the old key. An interrupted attempt is
 * resumed: a retired key then still exists, no new one is made, and `new_key` is false. Uploads continue in the meantime, with the new key.
 */
export async function reencrypt(db: Db, { vault, source, now, onProgress }: ReencryptOptions) {
  const current = await vault()
  const isNew = await write(db, 'store keys', (trx) => startKey(trx, source, now))
  await current.reload()
  const retired = (await listDataKeys(db)).filter(({ retiredAt }) => retiredAt !== null).map(({ id }) => id)
  const places = await listPlaces(db, retired)
  /** Pieces that cannot be decrypted, and stay unchanged, as `kind of owner`. */
  const damaged: string[] = []
  for (let done = 0; done < places.length; ) {
    done += await reencryptBatch(db, current, places.slice(done, done + 64), damaged)
    onProgress?.(done, places.length)
    await giveWay()
  }
  const removed = await write(db, 'store keys', removeUnusedKeys)
  await current.reload()
  return { new_key: isNew, pieces: places.length - damaged.length, damaged, removed_keys: removed }
}

/** Returns whether a new key was created. */
async function startKey(trx: Db, source: Pick<MasterKeys, 'get'>, now: number) {
  if ((await listDataKeys(trx)).some(({ retiredAt }) => retiredAt !== null)) return false
  const master = await findMasterKey(trx, source)
  if (!master) throw noMasterKey()
  await retireSealKeys(trx, now)
  await insertDataKey(trx, newDataKey(master, 'seal', now))
  return true
}

/** Returns how many of the places it has processed. */
async function reencryptBatch(db: Db, vault: Vault, places: PiecePlace[], damaged: string[]) {
  const changes: { place: PiecePlace; old: StoredPiece; sealed: Pick<StoredPiece, 'keyId' | 'sealed'> }[] = []
  let bytes = 0
  let done = 0
  for (const place of places) {
    if (bytes >= batchBytes) break
    done++
    const old = await findPiece(db, place)
    if (!old) continue
    bytes += old.sealed.length
    try {
      const plain = vault.open(old.owner, old)
      changes.push({ place, old, sealed: vault.seal(old.owner, old.kind, old.part, plain) })
    } catch (error) {
      if (!(error instanceof ReltError)) throw error
      damaged.push(`${old.kind} of ${old.owner}`)
    }
  }
  if (changes.length === 0) return done
  await write(db, 'nothing', async (trx) => {
    for (const { place, old, sealed } of changes) await replacePiece(trx, place, old, sealed)
  })
  return done
}
