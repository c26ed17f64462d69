import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import * as store from '../../store/accounts/tag.ts'
import { listDataKeys, replaceWrapped } from '../../store/keys/data-key.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { findMasterKey, type KeySource, unwrapKey, type Vault, wrapKey } from '../keys/vault.ts'
import { tagsOf } from './check-tags.ts'

/**
 * Makes the tags of a store that an earlier release wrote, once: from then on, a row without its tag grants nothing. What is
 * in the store at this moment is trusted.
 */
export async function addTags(
  db: Db,
  vault: Vault,
  { source, now }: { source: Pick<KeySource, 'get'>; now: UnixSeconds },
): Promise<void> {
  await write(db, 'store keys', async (trx) => {
    const master = await findMasterKey(trx, source)
    const key = (await listDataKeys(trx)).find(({ purpose }) => purpose === 'hash')
    if (!master || !key) return
    const { plain, hasTags } = unwrapKey(master, key)
    // Another process may have been quicker.
    if (hasTags) return
    let count = 0
    for await (const { place, tag } of tagsOf(trx, vault)) {
      await store.setTag(trx, place, tag)
      count++
    }
    const wrapped = wrapKey(master, key, { plain, hasTags: true })
    await replaceWrapped(trx, { id: key.id, wrapped, masterKeyId: master.id })
    const subject = `${count} rows`
    await recordAudit(trx, { at: now, user: undefined, action: 'store.add-tags', subject, requestId: undefined })
  })
  await vault.reload()
}
