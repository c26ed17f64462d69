import { type WebhookField, type WebhookName, webhookChannels } from '../../../contract/channels.ts'
import { ReltError } from '../../../errors.ts'
import { readOrAskSecret } from '../../input/secret.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'

/** Options that set and remove webhooks. */
export const webhookOptions = {
  ...(Object.fromEntries(
    webhookChannels.flatMap(({ name: channel }) => [
      [`--${channel}-webhook`, `set the ${channel} webhook: prompt for its URL, or read it from --secret-file`],
      [`--no-${channel}-webhook`, `remove the ${channel} webhook`],
    ]),
  ) as { [C in WebhookName as `--${'no-' | ''}${C}-webhook`]: string }),
  '--secret-file <file>': 'read the URL from the first line of a file; - for standard input',
} as const

export const webhookEpilog = 'Webhook URLs are secrets, so no option takes one directly.'

export type WebhookOptions = OptionsOf<typeof webhookOptions>

/** Throws `usage` for contradictory options, before anything is read. */
export function refuseContradictions(options: WebhookOptions): void {
  if (Object.keys(options).length === 0) {
    throw new ReltError('usage', 'Nothing to change.', { hint: 'Add an option; --help lists them.' })
  }
  if (options.secretFile !== undefined && wantedOf(options).length !== 1) {
    const names = webhookChannels.map(({ name }) => `--${name}-webhook`)
    throw new ReltError('usage', '--secret-file needs exactly one webhook to set.', { hint: `Add ${orList(names)}.` })
  }
}

/** URLs to set; an empty one removes the webhook. */
export async function webhooksFor(cli: Cli, options: WebhookOptions): Promise<Partial<Record<WebhookField, string>>> {
  const webhooks: Partial<Record<WebhookField, string>> = {}
  for (const { name: channel, field } of webhookChannels) {
    const asked = options[`${channel}Webhook`]
    if (asked === undefined) continue
    webhooks[field] = asked ? await readOrAskSecret(cli, options.secretFile, `URL of the ${channel} webhook`) : ''
  }
  return webhooks
}

const wantedOf = (options: WebhookOptions) => webhookChannels.filter(({ name }) => options[`${name}Webhook`])

const orList = (names: string[]) => `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
