import { webhookChannel } from '../channel.ts'

export const slack = webhookChannel('slack', 'Slack', {
  load: async () => (await import('./deliver.ts')).deliverSlack,
})
