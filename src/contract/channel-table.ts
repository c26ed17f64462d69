/** A way to notify an account. Rendering and sending are in `notify/`, in one folder per channel. */
export interface Channel {
  /** Name in the API and in options: one lower-case word. */
  name: string
  /** Title for users; channels are listed by title. */
  title: string
  /** Field of an account with the address; subscriptions have the same field for each secret channel. */
  field: string
  /** Anyone with a secret address can post to it, so it is stored sealed and displayed shortened. */
  isSecret: boolean
  shape: AddressShape
  /** Validates an address of the right shape when it is set: returns the problem and a remedy. */
  problemFor?: (address: URL) => string | undefined
}

/** `https`: an https URL with a host name. */
export type AddressShape = 'email' | 'https'

/** The table of channels. Every command loads it. */
export const channelTable = {
  email: { name: 'email', title: 'Email', field: 'email', isSecret: false, shape: 'email' },
  generic: webhook('generic', 'Webhook', problemOfPagerDuty),
  slack: webhook('slack', 'Slack'),
  teams: webhook('teams', 'Teams', problemOfTeams),
} as const satisfies Record<string, Channel>

/** A channel that posts to a secret https URL. */
function webhook<const Name extends string>(name: Name, title: string, problemFor?: Channel['problemFor']) {
  const field = `${name}_webhook` as const
  return { name, title, field, isSecret: true, shape: 'https', ...(problemFor && { problemFor }) } as const
}

function problemOfPagerDuty({ hostname, hash }: URL): string | undefined {
  const isPagerDuty = /^events\.(?:eu\.)?pagerduty\.com$/.test(hostname)
  if (!isPagerDuty || /[#&]routing_key=\w{32}(?:&|$)/.test(hash)) return undefined
  return 'an address of PagerDuty without its integration key. Add it: https://events.pagerduty.com/v2/enqueue#routing_key=KEY'
}

/** Whether an address belongs to a Teams connector, which Microsoft has retired. */
export function isRetiredConnector({ href }: URL) {
  return /^https:\/\/(?:[^/]+\.webhook\.office\.com|outlook\.office(?:365)?\.com)\//.test(href)
}

function problemOfTeams(address: URL): string | undefined {
  if (!isRetiredConnector(address)) return undefined
  return 'the address of a connector, which Microsoft has retired. Create a webhook in the channel: More options, Workflows, "Post to a channel when a webhook request is received"'
}
