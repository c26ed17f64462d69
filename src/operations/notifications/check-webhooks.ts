import { type WebhookField, webhookFields } from '../../contract/channels.ts'
import { isPublicWebhook, neededWebhook } from '../../contract/subscription.ts'
import { invalidParams } from '../../errors.ts'

/** Hosts, with or without a port, and networks that webhooks may reach by plain http or although they are not public. */
export interface AllowedWebhooks {
  hosts: readonly string[]
  nets: readonly string[]
}

/** Throws `invalid_param` for an address that delivery would refuse; see `RELT_WEBHOOK_ALLOW`. */
export async function checkWebhooks(
  addresses: { [F in WebhookField | 'webhook_url']?: string | null | undefined },
  allowed: AllowedWebhooks = { hosts: [], nets: [] },
) {
  for (const field of [...webhookFields, 'webhook_url'] as const) {
    const address = addresses[field]
    if (!address || isPublicWebhook(address)) continue
    const { isNamedByOperator } = await import('../../util/http-guard.ts')
    const url = new URL(address)
    const hasCredentials = url.username !== '' || url.password !== ''
    if (hasCredentials || !isNamedByOperator(url, allowed)) throw invalidParams({ [field]: neededWebhook })
  }
}
