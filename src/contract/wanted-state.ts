import * as z from 'zod/mini'
import { eachWebhook, type WebhookChannel } from './channels.ts'
import { ClusterConfigChange, ClusterConfigInput } from './cluster-config.ts'
import { LabelInput } from './label.ts'
import { optionalNotificationSettings } from './notification-settings.ts'
import { OwnerRule } from './ownership.ts'
import { addressShape, ReleaseTypes, SubscriptionSettings } from './subscription.ts'
import { TeamName } from './team.ts'

/** The desired state in relt.yaml. Omitted keys do not change. */

const list = <T extends z.core.$ZodType>(item: T) => z.optional(z.array(item).check(z.maxLength(1000)))

/** A URL, an empty text, or `env:NAME`, a variable with the URL. */
function wantedWebhook(channel: WebhookChannel) {
  const shape = addressShape(channel)
  return z.string().check(
    z.refine((value) => /^env:[A-Za-z_][A-Za-z0-9_]{0,199}$/.test(value) || shape.safeParse(value).success, {
      error: 'must be an https address, or env:NAME with the name of an environment variable',
    }),
  )
}

const webhooks = {
  ...eachWebhook((channel) => z.optional(wantedWebhook(channel))),
  webhook_release_types: z.optional(ReleaseTypes),
}

const { email_enabled, email_frequency, release_types_filter, use_global_webhooks, notifications_paused } =
  SubscriptionSettings.shape

const WantedAccount = z.strictObject({ ...webhooks, ...optionalNotificationSettings })
export type WantedAccount = z.infer<typeof WantedAccount>

type LabelFields = typeof LabelInput.shape
/** Fields of a label without their prefix in the API. */
const labelFields = Object.fromEntries(
  Object.entries(LabelInput.shape).map(([name, shape]) => [name.replace(/^label_/, ''), shape]),
) as { [K in keyof LabelFields as K extends `label_${infer Name}` ? Name : never]: LabelFields[K] }

const WantedLabel = z.strictObject(labelFields)
export type WantedLabel = z.infer<typeof WantedLabel>

const WantedSubscription = z.strictObject({
  /** Full name or id. */
  project: z.union([z.int().check(z.gte(1)), z.string().check(z.regex(/\S/), z.maxLength(200))], {
    error: 'must be the name or id of a project',
  }),
  /** All labels of the subscription. */
  labels: list(LabelInput.shape.label_name),
  email_enabled,
  email_frequency,
  release_types_filter,
  use_global_webhooks,
  notifications_paused,
  ...webhooks,
})
export type WantedSubscription = z.infer<typeof WantedSubscription>

const WantedProfile = z.strictObject({ ...ClusterConfigChange.shape, name: ClusterConfigInput.shape.name })
export type WantedProfile = z.infer<typeof WantedProfile>

const WantedOwner = z.strictObject(OwnerRule.shape)

export const WantedState = z.strictObject({
  /** The team that the file belongs to; if absent, the user's account or the command's team. */
  team: z.optional(TeamName),
  account: z.optional(WantedAccount),
  labels: list(WantedLabel),
  subscriptions: list(WantedSubscription),
  profiles: list(WantedProfile),
  /** All rules, in order of precedence. */
  owners: list(WantedOwner),
})
export type WantedState = z.infer<typeof WantedState>

/** Known keys of each part, to suggest corrections of misspelled ones. */
export const wantedKeys: Record<string, string[]> = {
  '': Object.keys(WantedState.shape),
  account: Object.keys(WantedAccount.shape),
  labels: Object.keys(WantedLabel.shape),
  subscriptions: Object.keys(WantedSubscription.shape),
  profiles: Object.keys(WantedProfile.shape),
  owners: Object.keys(WantedOwner.shape),
}
