import { insteadOf } from '../../errors.ts'
import { listClusterListeners } from '../../store/notifications/recipient.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { refreshClusters } from '../fleet/refresh.ts'
import type { NotificationStore } from './outbox.ts'

/**
 * Updates figures of clusters after a new run or a catalog change, which records compromised artifacts. A server does so by
 * itself.
 */
export async function recordCompromised({ db, keepsFigures, ...asking }: NotificationStore, now: UnixSeconds) {
  if (keepsFigures) return
  const listeners = await listClusterListeners(db)
  if (!listeners.some(({ events }) => events.split(',').includes('artifact.compromised'))) return
  // Without the store's key, its runs cannot be read.
  while ((await refreshClusters(db, { ...asking, now }).catch(insteadOf('key_unavailable', 0))) > 0);
}
