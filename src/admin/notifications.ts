import type { Env } from '../config/env.ts'
import { ReltError } from '../errors.ts'
import type { Service } from '../service/service.ts'
import { createLogger, readLogLevel } from '../util/log.ts'

/** Delivers a store's notifications, for anyone who may write its files. */
export async function sendNotifications(
  service: Service,
  { env, once, stopped }: { env: Env; once?: boolean | undefined; stopped: AbortSignal },
) {
  const carrier = await service.carrier?.()
  if (!carrier) {
    throw new ReltError('usage', 'Delivery is switched off: RELT_DELIVERY is off.', {
      hint: 'Remove RELT_DELIVERY from the environment, or set it to on.',
    })
  }
  const { deliverOnce, runDelivery } = await import('../operations/notifications/run-delivery.ts')
  const logger = createLogger(process.stderr, readLogLevel(env))
  const onError = (error: unknown) => logger.error({ err: error }, 'delivering notifications failed')
  const options = { carrier, now: service.now, onError }
  try {
    return await (once ? deliverOnce(service, options) : runDelivery(service, { ...options, stopped }))
  } finally {
    await carrier.close()
  }
}
