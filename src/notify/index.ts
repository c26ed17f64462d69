import type { ChannelName } from '../contract/channels.ts'
import type { Delivery } from './delivery.ts'

/** Renders and sends the messages of each channel; loaded on demand. */
export const deliveries: Readonly<Record<ChannelName, () => Promise<Delivery>>> = {
  email: async () => (await import('./email/deliver.ts')).deliverEmail,
  generic: async () => (await import('./generic/deliver.ts')).deliverGeneric,
  slack: async () => (await import('./slack/deliver.ts')).deliverSlack,
  teams: async () => (await import('./teams/deliver.ts')).deliverTeams,
}
