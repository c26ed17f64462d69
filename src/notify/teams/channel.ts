import { webhookChannel } from '../channel.ts'

const retired = /^https:\/\/(?:[^/]+\.webhook\.office\.com|outlook\.office(?:365)?\.com)\//

const problem =
  'the address of a connector, which Microsoft has retired. Create a webhook in the channel: More options, Workflows, "Post to a channel when a webhook request is received"'

export const isRetired = ({ href }: URL): boolean => retired.test(href)

export const teams = webhookChannel('teams', 'Teams', {
  problemOf: (address) => (isRetired(address) ? problem : undefined),
  load: async () => (await import('./deliver.ts')).deliverTeams,
})
