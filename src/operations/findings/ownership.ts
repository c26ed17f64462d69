import { randomBytes } from 'node:crypto'
import type { OwnerRule, OwnerRules } from '../../contract/ownership.ts'
import type { Db } from '../../db/open.ts'
import { Ownership } from '../../reports/ownership.ts'
import { findOwnership, saveOwnership } from '../../store/findings/ownership.ts'
import { pack, unpack } from '../../util/pack.ts'
import { formatTimestamp, type UnixSeconds } from '../../util/time.ts'
import type { Vault } from '../keys/vault.ts'

const kind = 'ownership'

export async function getOwnerRules(db: Db, ownerId: number, openVault: () => Promise<Vault>): Promise<OwnerRules> {
  const row = await findOwnership(db, ownerId)
  if (!row) return { owners: [], changed_at: null, changed_by: null }
  const { ownership_id, key_id: keyId, sealed, changed_at, changed_by } = row
  const opened = unpack((await openVault()).open(ownership_id, { kind, part: 0, keyId, sealed }))
  return { owners: JSON.parse(opened.toString('utf8')), changed_at: formatTimestamp(changed_at), changed_by }
}

export async function findOwnershipOf(db: Db, ownerId: number, openVault: () => Promise<Vault>): Promise<Ownership> {
  return new Ownership((await getOwnerRules(db, ownerId, openVault)).owners)
}

interface Saved {
  ownerId: number
  rules: OwnerRule[]
  login: string
  now: UnixSeconds
}

export async function saveOwnerRules(
  trx: Db,
  vault: Vault,
  { ownerId, rules, login, now }: Saved,
): Promise<OwnerRules> {
  const ownership_id = `own_${randomBytes(10).toString('hex')}`
  const { keyId, sealed } = vault.seal(ownership_id, kind, 0, pack(JSON.stringify(rules)))
  const row = { owner_id: ownerId, ownership_id, changed_at: now, changed_by: login, key_id: keyId, sealed }
  await saveOwnership(trx, row)
  return { owners: rules, changed_at: formatTimestamp(now), changed_by: login }
}
