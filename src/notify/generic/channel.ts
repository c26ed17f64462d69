import { webhookChannel } from '../channel.ts'

const pagerDuty = /^events\.(?:eu\.)?pagerduty\.com$/

export const generic = webhookChannel('generic', 'Webhook', {
  problemOf: ({ hostname, hash }) =>
    pagerDuty.test(hostname) && !/[#&]routing_key=\w{32}(?:&|$)/.test(hash)
      ? 'an address of PagerDuty without its integration key. Add it: https://events.pagerduty.com/v2/enqueue#routing_key=KEY'
      : undefined,
  load: async () => (await import('./deliver.ts')).deliverGeneric,
})
