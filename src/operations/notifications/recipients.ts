import type { Recipient } from '../../delivery/rules.ts'
import * as store from '../../store/notifications/recipient.ts'
import { isTag, tagOfMember } from '../accounts/tags.ts'
import type { NotificationStore } from './outbox.ts'

/** Accounts with their notification settings. Memberships without a valid tag do not count. */
export async function listRecipients(
  { db, vault }: NotificationStore,
  filter: store.RecipientFilter,
): Promise<Recipient[]> {
  const memberships = await store.listMembershipsFor(db, filter.userIds)
  // Needs the store's key only if there are teams.
  const keys = memberships.length > 0 ? await vault() : undefined
  const bound = memberships.filter((one) => isTag(tagOfMember(keys!, one), one.tag))
  return store.listRecipients(db, filter, bound)
}
