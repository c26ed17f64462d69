import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/open.ts'
import { type DocumentTable, findDocument, saveDocument } from '../../store/findings/owner-document.ts'
import { pack, unpack } from '../../util/pack.ts'
import { formatTimestamp, type UnixSeconds } from '../../util/time.ts'
import type { Unlock, Vault } from '../keys/vault.ts'

export interface Changed {
  changed_at: string
  /** Login of the last editor. */
  changed_by: string
}

export const neverChanged = { changed_at: null, changed_by: null }

/** An owner's new document, and who saves it. */
export interface DocumentChange {
  ownerId: number
  login: string
  now: UnixSeconds
}

/** The text of an owner's document, and its last editor. Needs the store's key only if the document exists. */
export async function openDocument(
  db: Db,
  { table, ownerId }: { table: DocumentTable; ownerId: number },
  openVault: Unlock,
): Promise<{ text: string; changed: Changed } | undefined> {
  const row = await findDocument(db, table, ownerId)
  if (!row) return undefined
  const { public_id, key_id: keyId, sealed, changed_at, changed_by } = row
  const opened = unpack((await openVault()).open(public_id, { kind: table, part: 0, keyId, sealed }))
  return { text: opened.toString('utf8'), changed: { changed_at: formatTimestamp(changed_at), changed_by } }
}

export async function sealDocument(
  trx: Db,
  vault: Vault,
  { table, ownerId, text, login, now }: DocumentChange & { table: DocumentTable; text: string },
): Promise<Changed> {
  const public_id = `doc_${randomBytes(10).toString('hex')}`
  const { keyId, sealed } = vault.seal(public_id, table, 0, pack(text))
  const row = { owner_id: ownerId, public_id, changed_at: now, changed_by: login, key_id: keyId, sealed }
  await saveDocument(trx, table, row)
  return { changed_at: formatTimestamp(now), changed_by: login }
}
