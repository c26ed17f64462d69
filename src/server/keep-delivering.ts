import { setTimeout as sleep } from 'node:timers/promises'
import { type DeliverySettings, readDeliverySettings } from '../config/delivery.ts'
import { isDeliveryOn } from '../config/delivery-switch.ts'
import type { Env } from '../config/env.ts'
import { channels } from '../contract/channels.ts'
import { activateDelivery, isFirstDelivery } from '../operations/notifications/activate-delivery.ts'
import { hasWork } from '../operations/notifications/run-delivery.ts'
import { scheduleDigests } from '../operations/notifications/run-digests.ts'
import type { Service } from '../service/service.ts'
import type { Logger } from '../util/log.ts'
import type { WorkerStore } from './worker-messages.ts'
import { type RunningTask, startTask } from './worker-task.ts'

/**
 * Reads settings at the start, so that invalid ones stop the server rather than a thread. Undefined: delivery is disabled.
 * Throws `usage`.
 */
export function readServerDelivery(env: Env): DeliverySettings | undefined {
  return isDeliveryOn(env) ? readDeliverySettings(env) : undefined
}

const lookMs = 1000
/** Digest settings can change, and ends of support and exceptions approach. */
const [scheduleLooks, dailyLooks] = [30, 3600]
const pauseAfterFailureMs = 60_000

/**
 * Sends notifications in a thread, which starts when messages are new or due, and ends after an idle time. Returns a
 * function that stops it.
 */
export function keepDelivering(
  service: Service,
  store: WorkerStore,
  { settings, logger }: { settings: DeliverySettings | undefined; logger: Logger },
): () => Promise<void> {
  if (!settings) return async () => {}
  const names = channels.flatMap(({ name, isSecret }) => (isSecret || settings.mail ? [name] : []))
  const ended = new AbortController()
  const { signal } = ended
  let task: RunningTask<unknown> | undefined

  async function look() {
    for (let count = 0; !signal.aborted; count++) {
      try {
        if (await isNeeded(service, names, count)) {
          task = startTask(store, 'delivery', service.now())
          await task.result
        }
      } catch (error) {
        if (!signal.aborted) logger.error({ err: error }, 'delivering notifications failed')
        await sleep(pauseAfterFailureMs, undefined, { signal }).catch(() => undefined)
      }
      task = undefined
      await sleep(lookMs, undefined, { signal }).catch(() => undefined)
    }
  }

  const looking = look()
  return async () => {
    ended.abort()
    await task?.stop()
    await looking
  }
}

/** Whether to start the thread at this check, counted from 0. */
async function isNeeded({ db, vault, now }: Service, names: (typeof channels)[number]['name'][], look: number) {
  if (look % scheduleLooks === 0) await scheduleDigests({ db, vault }, now())
  if (look % dailyLooks === dailyLooks - 1) return true
  const isBusy = await hasWork(db, names, now())
  // If there is nothing to route, activates the channels and their waiting messages immediately.
  if (!isBusy && (await isFirstDelivery(db, names))) await activateDelivery({ db, vault }, names, now())
  return isBusy || hasWork(db, names, now())
}
