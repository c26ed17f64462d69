import type { ChannelName } from '../contract/channels.ts'
import type { Delivery } from './delivery.ts'

/** Renders and sends the messages of a channel: `deliver` in the folder of the channel's name, loaded on demand. */
export async function loadDelivery(channel: ChannelName): Promise<Delivery> {
  const { deliver }: { deliver: Delivery } = await import(`./${channel}/deliver.ts`)
  return deliver
}
