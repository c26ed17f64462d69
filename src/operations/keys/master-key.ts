import type { MasterKey, MasterKeys } from '../../config/secrets.ts'
import { findMeta } from '../../db/meta.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { listDataKeys, replaceWrapped, type WrappedKey } from '../../store/keys/data-key.ts'
import { countPieces } from '../../store/keys/sealed-piece.ts'
import { formatTimestamp, timestampOrNull } from '../../util/time.ts'
import { findMasterKey, finishMasterKey, noMasterKey, setMasterKey, unwrapKey, wrapKey } from './vault.ts'

export interface MasterKeyStatus {
  master_key: { id: string; place: MasterKey['place']; available: boolean; error: string | null } | null
  data_keys: DataKeyStatus[]
}

interface DataKeyStatus {
  id: string
  purpose: WrappedKey['purpose']
  state: 'active' | 'retired'
  created_at: string
  retired_at: string | null
  /** Number of pieces sealed with this data key. */
  pieces: number
}

/** Null: the store has no key yet. */
export async function masterKeyStatus(db: Db, source: MasterKeys): Promise<MasterKeyStatus> {
  const id = await findMeta(db, 'master_key_id')
  if (id === undefined) return { master_key: null, data_keys: [] }
  const place = (await findMeta(db, 'master_key_place')) as MasterKey['place']
  const error = await findMasterKey(db, source).then(
    () => null,
    (error: Error) => error.message,
  )
  const pieces = await countPieces(db)
  return {
    master_key: { id, place, available: error === null, error },
    data_keys: (await listDataKeys(db)).map((key) => ({
      id: key.id,
      purpose: key.purpose,
      state: key.retiredAt === null ? 'active' : 'retired',
      created_at: formatTimestamp(key.createdAt),
      retired_at: timestampOrNull(key.retiredAt),
      pieces: pieces.get(key.id) ?? 0,
    })),
  }
}

export interface Rotation {
  previous: Pick<MasterKey, 'id' | 'place'>
  current: Pick<MasterKey, 'id' | 'place'>
}

interface RotationOptions {
  source: MasterKeys
  /** Runs inside the transaction with the id of the new key. */
  record: (trx: Db, id: string) => Promise<void>
}

/**
 * Wraps the data keys with a new master key, in one transaction; sealed data does not change. The new key is stored before
 * the commit and the old one removed after it, so that one of them opens the store at any time.
 */
export async function rotateMasterKey(db: Db, { source, record }: RotationOptions): Promise<Rotation> {
  const { old, next } = await write(db, 'store keys', async (trx) => {
    const id = await findMeta(trx, 'master_key_id')
    if (id === undefined) throw noMasterKey()
    const old = await source.getCurrent(id, (await findMeta(trx, 'master_key_place')) as MasterKey['place'])
    const next = await source.createNext(old)
    for (const key of await listDataKeys(trx)) {
      const wrapped = wrapKey(next, key, unwrapKey(old, key))
      await replaceWrapped(trx, { id: key.id, wrapped, masterKeyId: next.id })
    }
    await setMasterKey(trx, next)
    await record(trx, next.id)
    return { old, next }
  })
  await finishMasterKey(db, source, next)
  await source.remove(old)
  return { previous: toName(old), current: toName(next) }
}

const toName = ({ id, place }: MasterKey): Rotation['current'] => ({ id, place })
