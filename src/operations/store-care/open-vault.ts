import type { Db } from '../../db/open.ts'
import { hasUnsealedWebhooks } from '../../store/notifications/webhook.ts'
import { findClusterWithoutKey } from '../../store/runs/finding-key.ts'
import { type KeySource, unlockVault, type Vault, type VaultOptions } from '../keys/vault.ts'

/** The vault of a store, in which nothing is left that an earlier release stored without its keys. Throws `key_unavailable`. */
export async function openVault(db: Db, source: KeySource, options: VaultOptions): Promise<Vault> {
  const vault = await unlockVault(db, source, options)
  if (!vault.keys.hasTags) {
    const { addTags } = await import('../accounts/add-tags.ts')
    await addTags(db, vault, { source, now: options.now })
  }
  if ((await findClusterWithoutKey(db)) !== undefined) {
    const { keyFindings } = await import('../runs/key-findings.ts')
    await keyFindings(db, vault)
  }
  if (await hasUnsealedWebhooks(db)) {
    const { sealUnsealedWebhooks } = await import('../notifications/webhook.ts')
    await sealUnsealedWebhooks(db, vault)
  }
  return vault
}
