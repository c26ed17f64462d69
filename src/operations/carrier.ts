import { readDeliverySettings } from '../config/delivery.ts'
import { isDeliveryOn } from '../config/delivery-switch.ts'
import type { Env } from '../config/env.ts'
import { channels } from '../contract/channels.ts'
import { openSendTools } from '../notify/send-tools.ts'
import { version } from '../version.ts'
import type { Carrier } from './deliver.ts'

/** Sends over the network, by the settings of the environment; undefined where delivery is switched off. */
export async function openCarrier(env: Env, now: () => number): Promise<Carrier | undefined> {
  if (!isDeliveryOn(env)) return undefined
  const { webhooks, mail, ca } = readDeliverySettings(env)
  const opened = await openSendTools({
    post: { ...webhooks, ca, userAgent: `relt/${version}` },
    mail: mail && { ...mail, ca },
  })
  return {
    // Webhooks need nothing but their addresses.
    channels: channels.flatMap(({ name, isSecret }) => (isSecret || mail ? [name] : [])),
    load: async (channel) => channels.find(({ name }) => name === channel)!.load(),
    toolsFor: async (_message, signal) => ({ ...opened, signingSecrets: [], now, signal }),
    linksOf: () => ({ page: null, settings: null, unsubscribe: null }),
    close: () => opened.close(),
  }
}
