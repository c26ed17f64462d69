/** How notifications reach an account. What renders and sends is in `notify/`, in a folder for each channel. */
export interface Channel {
  /** On the wire and in options: one lower-case word. */
  name: string
  /** For people; channels are listed in the order of their titles. */
  title: string
  /** Field of an account that holds the address; a subscription has a field of that name for each secret channel. */
  field: string
  /** Whoever knows a secret address can post to it: it is stored sealed, and shown shortened. */
  isSecret: boolean
  shape: AddressShape
  /** Checks an address of the right shape when it is set: returns the problem and what to do. */
  problemFor?: (address: URL) => string | undefined
}

/** `https`: an https address with the name of a host. */
export type AddressShape = 'email' | 'https'

/** The table of channels. Every command loads it. */
export const channelTable = {
  email: { name: 'email', title: 'Email', field: 'email', isSecret: false, shape: 'email' },
  generic: webhook('generic', 'Webhook', problemOfPagerDuty),
  slack: webhook('slack', 'Slack'),
  teams: webhook('teams', 'Teams', problemOfTeams),
} as const satisfies Record<string, Channel>

/** A channel that posts to a secret https address. */
function webhook<const Name extends string>(name: Name, title: string, problemFor?: Channel['problemFor']) {
  const field = `${name}_webhook` as const
  return { name, title, field, isSecret: true, shape: 'https', ...(problemFor && { problemFor }) } as const
}

function problemOfPagerDuty({ hostname, hash }: URL): string | undefined {
  const isPagerDuty = /^events\.(?:eu\.)?pagerduty\.com$/.test(hostname)
  if (!isPagerDuty || /[#&]routing_key=\w{32}(?:&|$)/.test(hash)) return undefined
  return 'an address of PagerDuty without its integration key. Add it: https://events.pagerduty.com/v2/enqueue#routing_key=KEY'
}

/** Whether an address is that of a connector of Teams, which Microsoft has retired. */
export function isRetiredConnector({ href }: URL): boolean {
  return /^https:\/\/(?:[^/]+\.webhook\.office\.com|outlook\.office(?:365)?\.com)\//.test(href)
}

function problemOfTeams(address: URL): string | undefined {
  if (!isRetiredConnector(address)) return undefined
  return 'the address of a connector, which Microsoft has retired. Create a webhook in the channel: More options, Workflows, "Post to a channel when a webhook request is received"'
}
