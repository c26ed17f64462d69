import { insteadOf } from '../../errors.ts'
import { listClusterListeners } from '../../store/notifications/recipient.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { refreshClusters } from '../fleet/refresh.ts'
import type { NotificationStore } from './outbox.ts'

/**
 * Makes figures of clusters that a run or the catalog changed, which records what is compromised there. A server makes them
 * by itself.
 */
export async function recordCompromised(
  { db, vault, keepsFigures }: NotificationStore,
  now: UnixSeconds,
): Promise<void> {
  if (keepsFigures) return
  const listeners = await listClusterListeners(db)
  if (!listeners.some(({ events }) => events.split(',').includes('artifact.compromised'))) return
  // Without the store's key, nobody can look into its runs.
  while ((await refreshClusters(db, { vault, now }).catch(insteadOf('key_unavailable', 0))) > 0);
}
