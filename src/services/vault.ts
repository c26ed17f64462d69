import { createHmac } from 'node:crypto'
import type { MasterKey, MasterKeys } from '../config/secrets.ts'
import type { Db } from '../db/open.ts'
import { inTransaction } from '../db/transaction.ts'
import { ReltError } from '../errors.ts'
import { findMeta, setMeta } from '../store/meta.ts'
import { seal, unseal } from '../util/seal.ts'

/** One sealed piece of a run or a profile. */
export interface Sealed<K extends string> {
  kind: K
  part: number
  keyId: string
  sealed: Uint8Array
}

/** Seals and opens what the store keeps private, with the store's own master key. */
export class Vault {
  readonly #master: MasterKey

  constructor(master: MasterKey) {
    this.#master = master
  }

  /** `owner` is the public id of what the bytes belong to. */
  seal<K extends string>(owner: string, kind: K, part: number, plain: Uint8Array): Sealed<K> {
    const { key, id } = this.#master
    return { kind, part, keyId: id, sealed: seal(key, identity(owner, kind, part), plain) }
  }

  /** A hash that tells nothing without the store's key; `purpose` keeps hashes of one kind from passing as another. */
  keyedHash(purpose: string, text: string): Buffer {
    return createHmac('sha256', this.#master.key).update(`${purpose}\u0000${text}`).digest()
  }

  open(owner: string, { kind, part, keyId, sealed }: Sealed<string>): Buffer {
    if (keyId !== this.#master.id) throw unreadable('was sealed with another master key')
    try {
      return unseal(this.#master.key, identity(owner, kind, part), sealed)
    } catch (cause) {
      throw unreadable('does not open with its master key: its bytes have changed', cause)
    }
  }
}

/** The first use of a store makes its key; later ones get the same, or the sentence that says why not. */
export async function openVault(db: Db, keys: MasterKeys): Promise<Vault> {
  return new Vault((await findMasterKey(db, keys)) ?? (await addMasterKey(db, keys)))
}

async function findMasterKey(db: Db, keys: MasterKeys): Promise<MasterKey | undefined> {
  const id = await findMeta(db, 'master_key_id')
  if (id === undefined) return undefined
  return keys.get(id, (await findMeta(db, 'master_key_place')) as MasterKey['place'])
}

/** One process makes the key while the others wait for the store. */
function addMasterKey(db: Db, keys: MasterKeys): Promise<MasterKey> {
  return inTransaction(db, async (trx) => {
    const made = await findMasterKey(trx, keys)
    if (made) return made
    const master = await keys.create()
    await setMeta(trx, 'master_key_id', master.id)
    await setMeta(trx, 'master_key_place', master.place)
    return master
  })
}

const identity = (owner: string, kind: string, part: number): string => `${owner}/${kind}/${part}`

function unreadable(why: string, cause?: unknown): ReltError {
  return new ReltError('key_unavailable', `What is stored ${why}.`, { cause })
}
