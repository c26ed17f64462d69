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

/** The unwrapped data keys of a store. Node takes a key object several times as fast as the bytes of a key. */
export interface DataKeys {
  /** By id. Retired keys open what they sealed. */
  seal: Map<string, KeyObject>
  /** The key that seals. */
  activeId: string
  hash: KeyObject
  /** What grants access has tags. A store of an earlier release gets them when it is first opened with its key. */
  hasTags: boolean
}

/** Origin of the master key. */
export type KeySource = Pick<MasterKeys, 'get' | 'create' | 'settle'>

/** Seals and opens what the store keeps private, with its data keys. The master key only wraps these. */
export class Vault {
  #keys: DataKeys
  #fingerprintKey: KeyObject
  readonly #load: () => Promise<DataKeys>

  constructor(keys: DataKeys, load: () => Promise<DataKeys> = async () => keys) {
    this.#keys = keys
    this.#load = load
    this.#fingerprintKey = createSecretKey(this.keyedHash('finding-fingerprints', ''))
  }

  /** For another thread of this process. */
  get keys(): DataKeys {
    return this.#keys
  }

  /** Reads the data keys of the store again. Throws `key_unavailable`. */
  async reload(): Promise<void> {
    this.#keys = await this.#load()
  }

  /** `owner` is the public id of what the bytes belong to. */
  seal<K extends string>(owner: string, kind: K, part: number, plain: Uint8Array): SealedPiece<K> {
    const { seal: keys, activeId } = this.#keys
    return { kind, part, keyId: activeId, sealed: seal(keys.get(activeId)!, identity(owner, kind, part), plain) }
  }

  /** A hash keyed with the store's key; `purpose` keeps hashes of one kind from passing as another. */
  keyedHash(purpose: string, text: string | Uint8Array): Buffer {
    return createHmac('sha256', this.#keys.hash).update(`${purpose}\u0000`).update(text).digest()
  }

  /** Fingerprints as they are stored: 16 bytes each, joined. */
  hideFingerprints(fingerprints: Uint8Array): Buffer {
    return hideDigests(this.#fingerprintKey, fingerprints)
  }

  /** Fingerprints as the interface shows them. */
  showFingerprints(stored: Uint8Array): Buffer {
    return showDigests(this.#fingerprintKey, stored)
  }

  open(owner: string, { kind, part, keyId, sealed }: SealedPiece<string>): Buffer {
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
  /** Data keys of this store, unwrapped by another thread. */
  keys?: DataKeys | undefined
}

/**
 * The first use of a store makes its keys. What earlier releases stored without them stays as it is: `openVault` is for all
 * other work. Throws `key_unavailable`.
 */
export async function unlockVault(db: Db, source: KeySource, { now, keys: known }: VaultOptions): Promise<Vault> {
  const keys = known ?? (await findDataKeys(db, source)) ?? (await addDataKeys(db, source, now))
  return new Vault(keys, async () => (await findDataKeys(db, source)) ?? keys)
}

/** To read a store as it is. Undefined when it has no key. Throws `key_unavailable`. */
export async function readVault(db: Db, source: Pick<MasterKeys, 'get'>): Promise<Vault | undefined> {
  const keys = await findDataKeys(db, source)
  return keys && new Vault(keys)
}

/** The master key of the store. Undefined when the store has none yet. Throws `key_unavailable`. */
export async function findMasterKey(db: Db, source: Pick<MasterKeys, 'get'>): Promise<MasterKey | undefined> {
  const id = await findMeta(db, 'master_key_id')
  if (id === undefined) return undefined
  return source.get(id, (await findMeta(db, 'master_key_place')) as MasterKey['place'])
}

export async function setMasterKey(trx: Db, { id, place }: Pick<MasterKey, 'id' | 'place'>): Promise<void> {
  await setMeta(trx, 'master_key_id', id)
  await setMeta(trx, 'master_key_place', place)
}

/** A random data key, wrapped. */
export function newDataKey(master: MasterKey, purpose: WrappedKey['purpose'], now: number): WrappedKey {
  const key = { id: randomBytes(8).toString('hex'), purpose }
  return wrapNew(master, key, { plain: randomBytes(keyLength), hasTags: purpose === 'hash' }, now)
}

type WrappedPart = Pick<WrappedKey, 'id' | 'purpose' | 'wrapped'>

/**
 * The master key vouches for the tags of a store: the hash key is wrapped under another name once they are made. So nobody
 * without the master key can make a store look as if it had none yet.
 */
export interface UnwrappedKey {
  plain: Buffer
  hasTags: boolean
}

/** Throws `key_unavailable` when the master key is another one, or the wrapped key was changed. */
export function unwrapKey(master: MasterKey, key: WrappedPart): UnwrappedKey {
  const tagged = tryUnwrap(master, key, true)
  if (!(tagged instanceof Error)) return { plain: tagged, hasTags: true }
  const plain = tryUnwrap(master, key, false)
  if (!(plain instanceof Error)) return { plain, hasTags: false }
  const message = `The data key ${key.id} does not open with the master key: its bytes have changed.`
  throw new ReltError('key_unavailable', message, { hint: 'Go back to a backup.', cause: plain })
}

function tryUnwrap(master: MasterKey, key: WrappedPart, hasTags: boolean): Buffer | Error {
  try {
    return unseal(master.key, wrapIdentity(key, hasTags), key.wrapped)
  } catch (error) {
    return error as Error
  }
}

export function wrapKey(
  master: MasterKey,
  key: Pick<WrappedKey, 'id' | 'purpose'>,
  { plain, hasTags }: UnwrappedKey,
): Buffer {
  return seal(master.key, wrapIdentity(key, hasTags), plain)
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
  if (!hash || !active) throw new ReltError('store_unusable', 'The store has lost its data keys.')
  const sealing = wrapped.filter(({ purpose }) => purpose === 'seal')
  const hashing = unwrapKey(master, hash)
  return {
    seal: new Map(sealing.map((key) => [key.id, createSecretKey(unwrapKey(master, key).plain)])),
    activeId: active.id,
    hash: createSecretKey(hashing.plain),
    hasTags: hashing.hasTags,
  }
}

/** One process makes the keys while the others wait for the store. */
async function addDataKeys(db: Db, source: KeySource, now: number): Promise<DataKeys> {
  const { keys, made } = await write(db, 'store keys', async (trx) => {
    const found = await findDataKeys(trx, source)
    if (found) return { keys: found, made: undefined }
    const old = await findMasterKey(trx, source)
    const master = old ?? (await source.create())
    const wrapped = [
      ...(old ? formerKeys(old, now) : [newDataKey(master, 'hash', now)]),
      newDataKey(master, 'seal', now),
    ]
    for (const key of wrapped) await insertDataKey(trx, key)
    if (!old) await setMasterKey(trx, master)
    return { keys: unwrapAll(master, wrapped), made: old ? undefined : master }
  })
  if (made) await finishMasterKey(db, source, made)
  return keys
}

/** Saves a new master key in its place, unless another process has saved one in the meantime. */
export async function finishMasterKey(db: Db, source: Pick<KeySource, 'settle'>, key: MasterKey): Promise<void> {
  await write(db, 'store keys', async (trx) => {
    if ((await findMeta(trx, 'master_key_id')) === key.id) await source.settle(key)
  })
}

/**
 * Earlier releases sealed and hashed with the master key itself. API keys and sessions are known by these hashes, so it
 * stays the hash key. Nothing new is sealed with it.
 */
function formerKeys(master: MasterKey, now: number): WrappedKey[] {
  const former = { plain: master.key, hasTags: false }
  const sealing = wrapNew(master, { id: master.id, purpose: 'seal' }, former, now)
  const hashing = wrapNew(master, { id: randomBytes(8).toString('hex'), purpose: 'hash' }, former, now)
  return [{ ...sealing, retiredAt: now }, hashing]
}

function wrapNew(
  master: MasterKey,
  key: Pick<WrappedKey, 'id' | 'purpose'>,
  plain: UnwrappedKey,
  createdAt: number,
): WrappedKey {
  return { ...key, wrapped: wrapKey(master, key, plain), masterKeyId: master.id, createdAt, retiredAt: null }
}

const wrapIdentity = ({ id, purpose }: Pick<WrappedKey, 'id' | 'purpose'>, hasTags: boolean): string =>
  `data-key/${purpose}/${id}${hasTags ? '/tags' : ''}`

const identity = (owner: string, kind: string, part: number): string => `${owner}/${kind}/${part}`
