import type { StoredPolicy } from '../../contract/gate-policy.ts'
import type { Db } from '../../db/open.ts'
import { invalidParams, ReltError } from '../../errors.ts'
import { readPolicy } from '../../gate/read-policy.ts'
import { removeDocument } from '../../store/findings/owner-document.ts'
import type { Unlock, Vault } from '../keys/vault.ts'
import { type DocumentChange, neverChanged, openDocument, sealDocument } from './owner-document.ts'

const table = 'gate_policy'

export async function getGatePolicy(db: Db, ownerId: number, openVault: Unlock): Promise<StoredPolicy> {
  const found = await openDocument(db, { table, ownerId }, openVault)
  return found ? { policy: found.text, ...found.changed } : { policy: null, ...neverChanged }
}

/** A policy is YAML with a key `gate`; null removes it. */
export async function saveGatePolicy(
  trx: Db,
  vault: Vault,
  { policy, ...change }: DocumentChange & { policy: string | null },
): Promise<StoredPolicy> {
  if (policy !== null) return { policy, ...(await sealDocument(trx, vault, { table, text: policy, ...change })) }
  await removeDocument(trx, table, change.ownerId)
  return { policy, ...neverChanged }
}

/** Throws `invalid_param` for an invalid policy. */
export function checkPolicy(policy: string): void {
  try {
    const read = readPolicy(policy, 'policy')
    if (!read) throw invalidParams({ policy: 'has no key gate' })
    if (read.rules.length === 0) throw invalidParams({ policy: 'has no rules: set gate.fail_on' })
  } catch (error) {
    if (!(error instanceof ReltError) || error.code !== 'gate_undecided') throw error
    const problems = Object.entries(error.params ?? {}).map(([place, problem]) => `${place}: ${problem}`)
    throw invalidParams({ policy: problems.join('; ').slice(0, 1000) || error.message })
  }
}
