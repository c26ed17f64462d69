import type { OwnerRule, OwnerRules } from '../../contract/ownership.ts'
import type { Db } from '../../db/open.ts'
import { Ownership } from '../../reports/ownership.ts'
import type { Unlock, Vault } from '../keys/vault.ts'
import { type DocumentChange, neverChanged, openDocument, sealDocument } from './owner-document.ts'

const table = 'ownership'

export async function getOwnerRules(db: Db, ownerId: number, openVault: Unlock): Promise<OwnerRules> {
  const found = await openDocument(db, { table, ownerId }, openVault)
  return found ? { owners: JSON.parse(found.text), ...found.changed } : { owners: [], ...neverChanged }
}

export async function findOwnershipFor(db: Db, ownerId: number, openVault: Unlock): Promise<Ownership> {
  return new Ownership((await getOwnerRules(db, ownerId, openVault)).owners)
}

export async function saveOwnerRules(
  trx: Db,
  vault: Vault,
  { rules, ...change }: DocumentChange & { rules: OwnerRule[] },
): Promise<OwnerRules> {
  const changed = await sealDocument(trx, vault, { table, text: JSON.stringify(rules), ...change })
  return { owners: rules, ...changed }
}
