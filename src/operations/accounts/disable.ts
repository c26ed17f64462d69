import type { Db } from '../../db/open.ts'
import { setDisabled } from '../../store/accounts/account.ts'
import { removeSessionsFor } from '../../store/accounts/session.ts'
import { setTag, type TagPlace } from '../../store/accounts/tag.ts'
import type { UnixSeconds } from '../../util/time.ts'
import type { Vault } from '../keys/vault.ts'
import { tagsFor } from './check-tags.ts'
import { isTag, sleepingTag } from './tags.ts'

/** Whether the row allows sign-in. Without such rows, roles and memberships grant nothing. */
const isCredential = (place: TagPlace) =>
  place.table === 'user' ? place.column === 'password_tag' : place.table === 'api_key' || place.table === 'feed'

/** Makes all credentials of an account invalid by replacing their tags. Only relt can restore them. */
export async function disableAccount(trx: Db, vault: Vault, userId: number, now: UnixSeconds) {
  await setDisabled(trx, userId, now)
  await removeSessionsFor(trx, userId)
  for await (const { place, tag, stored } of tagsFor(trx, vault, userId)) {
    if (isCredential(place) && isTag(tag, stored)) await setTag(trx, place, sleepingTag(vault, tag))
  }
}

export async function enableAccount(trx: Db, vault: Vault, userId: number) {
  await setDisabled(trx, userId, null)
  for await (const { place, tag, stored } of tagsFor(trx, vault, userId)) {
    if (isTag(sleepingTag(vault, tag), stored)) await setTag(trx, place, tag)
  }
}
