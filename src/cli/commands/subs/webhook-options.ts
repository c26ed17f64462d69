import { type WebhookField, type WebhookName, webhookChannels } from '../../../contract/channels.ts'
import { ReltError } from '../../../errors.ts'
import { askSecret, readSecret } from '../../input/secret.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'

/** Options that set and remove webhooks. Each `--CHANNEL-webhook-file` is an earlier name that still works. */
export const webhookOptions = {
  ...(Object.fromEntries(
    webhookChannels.flatMap(({ name: channel }) => [
      [`--${channel}-webhook`, `set the ${channel} webhook: prompt for its URL, or read it from --secret-file`],
      [`--${channel}-webhook-file <file>`, { help: '', hidden: true }],
      [`--no-${channel}-webhook`, `remove the ${channel} webhook`],
    ]),
  ) as { [C in WebhookName as `--${'no-' | ''}${C}-webhook`]: string } & {
    [C in WebhookName as `--${C}-webhook-file <file>`]: { help: string; hidden: true }
  }),
  '--secret-file <file>': 'read the URL from the first line of a file; - for standard input',
} as const

export const webhookEpilog = 'Webhook URLs are secrets, so no option takes one directly.'

export type WebhookOptions = OptionsOf<typeof webhookOptions>

/** Throws `usage` if it is unclear which URL is meant, before anything is read. */
export function refuseContradictions(options: WebhookOptions): void {
  if (Object.keys(options).length === 0) {
    throw new ReltError('usage', 'Nothing to change.', { hint: 'Add an option; --help lists them.' })
  }
  for (const { name: channel } of webhookChannels) {
    if (options[`${channel}Webhook`] !== undefined && options[`${channel}WebhookFile`] !== undefined) {
      throw new ReltError('usage', `Use only one option for the ${channel} webhook.`)
    }
  }
  if (options.secretFile !== undefined && wantedOf(options).length !== 1) {
    const names = webhookChannels.map(({ name }) => `--${name}-webhook`)
    throw new ReltError('usage', '--secret-file needs exactly one webhook to set.', { hint: `Add ${orList(names)}.` })
  }
  if (webhookChannels.filter(({ name }) => options[`${name}WebhookFile`] === '-').length > 1) {
    throw new ReltError('usage', 'Standard input can provide only one URL.', { hint: 'Read the others from files.' })
  }
}

/** URLs to set; an empty one removes the webhook. */
export async function webhooksOf(cli: Cli, options: WebhookOptions): Promise<Partial<Record<WebhookField, string>>> {
  const webhooks: Partial<Record<WebhookField, string>> = {}
  for (const { name: channel, field } of webhookChannels) {
    const what = `URL of the ${channel} webhook`
    const asked = options[`${channel}Webhook`]
    const file = options[`${channel}WebhookFile`] ?? (asked ? options.secretFile : undefined)
    if (file !== undefined) webhooks[field] = await readSecret(cli, file, what)
    else if (asked !== undefined) webhooks[field] = asked ? await askSecret(cli, what, `--${channel}-webhook-file`) : ''
  }
  return webhooks
}

const wantedOf = (options: WebhookOptions) => webhookChannels.filter(({ name }) => options[`${name}Webhook`])

const orList = (names: string[]) => `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
