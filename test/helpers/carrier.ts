import { type ChannelName, channelNames } from '../../src/contract/channels.ts'
import type { Outcome } from '../../src/notify/delivery.ts'
import type { Message } from '../../src/notify/message.ts'
import type { Carrier } from '../../src/operations/notifications/deliver.ts'

export interface Received {
  channel: ChannelName
  address: string
  message: Message
}

export const delivered: Outcome = { result: 'delivered', httpStatus: 200 }
export const failed: Outcome = { result: 'retry', reason: 'HTTP status 503', httpStatus: 503, retryAfterSeconds: null }

interface Receivers {
  received: Received[]
  carrier: Carrier
}

/** Receivers in this process, which remember what came; `answer` says how each attempt ends. */
export function openReceivers({
  channels = channelNames,
  answer = () => delivered,
}: {
  channels?: readonly ChannelName[]
  answer?: (received: Received) => Outcome | Promise<Outcome>
} = {}): Receivers {
  const received: Received[] = []
  const carrier: Carrier = {
    channels,
    load: async (channel) => ({
      secondsBetween: 0,
      render: () => ({ kind: 'post', contentType: 'text/plain', body: '' }),
      send: async (message, target) => {
        const one = { channel, address: target.reveal(), message }
        const outcome = await answer(one)
        received.push(one)
        return outcome
      },
    }),
    toolsFor: async (_target, signal) => ({
      post: async () => ({ status: 200, retryAfterSeconds: null, body: '' }),
      mail: undefined,
      signingSecrets: [],
      now: () => 0,
      signal,
    }),
    toLinks: async () => ({ page: null, settings: null, unsubscribe: null }),
    close: async () => {},
  }
  return { received, carrier }
}
