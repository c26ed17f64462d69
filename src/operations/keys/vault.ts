import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { MasterKey, MasterKeys } from '../../config/secrets.ts'
import { findMeta, setMeta } from '../../db/meta.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { ReltError } from '../../errors.ts'
import { insertDataKey, listDataKeys, type WrappedKey } from '../../store/keys/data-key.ts'
import { hideDigests, keyLength, type Sealed, seal, showDigests, unseal } from '../../util/seal.ts'
import { StaleKeyError } from './stale-key-error.ts'

/** One sealed piece of a run, a profile or a webhook. */
export interface SealedPiece<K extends string> {
  kind: K
  part: number
  keyId: string
  sealed: Sealed
}

/** The unwrapped data keys of a store. Key objects are several times faster in Node than raw bytes. */
export interface DataKeys {
  /** Keys by id. Retired ones still open what they sealed. */
  seal: Map<string, KeyObject>
  /** Id of the key for new data. */
  activeId: string
  hash: KeyObject
}

/** Source of the master key. */
export type KeySource = Pick<MasterKeys, 'get' | 'create' | 'settle'>

/** Seals and opens private data in the store with its data keys, which the master key wraps. */
export class Vault {
  #keys: DataKeys
  #fingerprintKey: KeyObject
  readonly #load: () => Promise<DataKeys>

  constructor(keys: DataKeys, load: () => Promise<DataKeys> = async () => keys) {
    this.#keys = keys
    this.#load = load
    this.#fingerprintKey = createSecretKey(this.keyedHash('finding-fingerprints', ''))
  }

  /** Data keys to pass to another thread of this process. */
  get keys() {
    return this.#keys
  }

  /** Reads the store's data keys again. Throws `key_unavailable`. */
  async reload() {
    this.#keys = await this.#load()
  }

  /** `owner` is the public id of the run, profile or other row that the bytes belong to. */
  seal<K extends string>(owner: string, kind: K, part: number, plain: Uint8Array): SealedPiece<K> {
    const { seal: keys, activeId } = this.#keys
    return { kind, part, keyId: activeId, sealed: seal(keys.get(activeId)!, identity(owner, kind, part), plain) }
  }

  /** A hash keyed with the store's key; `purpose` separates hashes of different kinds. */
  keyedHash(purpose: string, text: string | Uint8Array) {
    return createHmac('sha256', this.#keys.hash).update(`${purpose}\u0000`).update(text).digest()
  }

  /** Converts fingerprints to their stored form: 16 bytes each, joined. */
  hideFingerprints(fingerprints: Uint8Array) {
    return hideDigests(this.#fingerprintKey, fingerprints)
  }

  /** Converts stored fingerprints to the displayed ones. */
  showFingerprints(stored: Uint8Array) {
    return showDigests(this.#fingerprintKey, stored)
  }

  open(owner: string, { kind, part, keyId, sealed }: SealedPiece<string>) {
    const key = this.#keys.seal.get(keyId)
    if (!key) {
      throw new StaleKeyError('key_unavailable', 'What is stored was sealed with a key that this store does not have.')
    }
    try {
      return unseal(key, identity(owner, kind, part), sealed)
    } catch (cause) {
      const message = 'What is stored does not open with its key: its bytes have changed.'
      throw new ReltError('key_unavailable', message, { hint: 'Run `relt admin verify` to find all damage.', cause })
    }
  }
}

export interface VaultOptions {
  /** Unix seconds. */
  now: number
  /** The store's data keys, unwrapped by another thread. */
  keys?: DataKeys | undefined
}

/** Opens the vault at the first call; only sealed data needs it. */
export type Unlock = () => Promise<Vault>

/** Opens a store's vault. Creates the keys at the first use. Throws `key_unavailable`. */
export async function openVault(db: Db, source: KeySource, { now, keys: known }: VaultOptions) {
  const keys = known ?? (await findDataKeys(db, source)) ?? (await addDataKeys(db, source, now))
  return new Vault(keys, async () => (await findDataKeys(db, source)) ?? keys)
}

/** Opens the vault without creating keys. Undefined if the store has no key. Throws `key_unavailable`. */
export async function readVault(db: Db, source: Pick<MasterKeys, 'get'>) {
  const keys = await findDataKeys(db, source)
  return keys && new Vault(keys)
}

export const noMasterKey = () => new ReltError('usage', 'The store has no master key yet. The first upload creates it.')

/** The store's master key. Undefined if the store has none yet. Throws `key_unavailable`. */
export async function findMasterKey(db: Db, source: Pick<MasterKeys, 'get'>) {
  const id = await findMeta(db, 'master_key_id')
  if (id === undefined) return undefined
  return source.get(id, (await findMeta(db, 'master_key_place')) as MasterKey['place'])
}

export async function setMasterKey(trx: Db, { id, place }: Pick<MasterKey, 'id' | 'place'>) {
  await setMeta(trx, 'master_key_id', id)
  await setMeta(trx, 'master_key_place', place)
}

/** Creates a random data key, wrapped. */
export function newDataKey(master: MasterKey, purpose: WrappedKey['purpose'], createdAt: number): WrappedKey {
  const key = { id: randomBytes(8).toString('hex'), purpose }
  const wrapped = wrapKey(master, key, randomBytes(keyLength))
  return { ...key, wrapped, masterKeyId: master.id, createdAt, retiredAt: null }
}

/** Throws `key_unavailable` for a different master key or a modified wrapped key. */
export function unwrapKey(master: MasterKey, key: Pick<WrappedKey, 'id' | 'purpose' | 'wrapped'>) {
  try {
    return unseal(master.key, wrapIdentity(key), key.wrapped)
  } catch (cause) {
    const message = `The data key ${key.id} does not open with the master key: its bytes have changed.`
    throw new ReltError('key_unavailable', message, { hint: 'Go back to a backup.', cause })
  }
}

export function wrapKey(master: MasterKey, key: Pick<WrappedKey, 'id' | 'purpose'>, plain: Buffer): Buffer {
  return seal(master.key, wrapIdentity(key), plain)
}

async function findDataKeys(db: Db, source: Pick<MasterKeys, 'get'>): Promise<DataKeys | undefined> {
  const wrapped = await listDataKeys(db)
  if (wrapped.length === 0) return undefined
  const master = await findMasterKey(db, source)
  return master && unwrapAll(master, wrapped)
}

function unwrapAll(master: MasterKey, wrapped: WrappedKey[]): DataKeys {
  const hash = wrapped.find(({ purpose }) => purpose === 'hash')
  const active = wrapped.find(({ purpose, retiredAt }) => purpose === 'seal' && retiredAt === null)
  if (!hash || !active) throw lostKeys()
  const sealing = wrapped.filter(({ purpose }) => purpose === 'seal')
  return {
    seal: new Map(sealing.map((key) => [key.id, createSecretKey(unwrapKey(master, key))])),
    activeId: active.id,
    hash: createSecretKey(unwrapKey(master, hash)),
  }
}

/** One process creates the keys; the others wait for the store's lock. */
async function addDataKeys(db: Db, source: KeySource, now: number): Promise<DataKeys> {
  const { keys, made } = await write(db, 'store keys', async (trx) => {
    const found = await findDataKeys(trx, source)
    if (found) return { keys: found, made: undefined }
    if ((await findMeta(trx, 'master_key_id')) !== undefined) throw lostKeys()
    const master = await source.create()
    const wrapped = [newDataKey(master, 'hash', now), newDataKey(master, 'seal', now)]
    for (const key of wrapped) await insertDataKey(trx, key)
    await setMasterKey(trx, master)
    return { keys: unwrapAll(master, wrapped), made: master }
  })
  if (made) await finishMasterKey(db, source, made)
  return keys
}

const lostKeys = () => new ReltError('store_unusable', 'The store has lost its data keys.')

/** Stores a new master key in its place, unless another process has done so in the meantime. */
export async function finishMasterKey(db: Db, source: Pick<KeySource, 'settle'>, key: MasterKey) {
  await write(db, 'store keys', async (trx) => {
    if ((await findMeta(trx, 'master_key_id')) === key.id) await source.settle(key)
  })
}

const wrapIdentity = ({ id, purpose }: Pick<WrappedKey, 'id' | 'purpose'>) => `data-key/${purpose}/${id}`

const identity = (owner: string, kind: string, part: number) => `${owner}/${kind}/${part}`
