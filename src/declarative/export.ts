import { type WebhookField, webhookFields } from '../contract/channels.ts'
import { notificationSettingNames } from '../contract/notification-settings.ts'
import type { ReceivedSubscription } from '../contract/received/subscription.ts'
import type { WantedState } from '../contract/wanted-state.ts'
import { ReltError } from '../errors.ts'
import type { Secret } from '../util/secret.ts'
import type { CurrentState, StoredProfile } from './current.ts'
import { toWantedLabel } from './label.ts'
import { knownSettings } from './scan-settings.ts'
import { plainNames } from './setting-changes.ts'

export interface ExportResult {
  wanted: WantedState
  /** The policy of a team: YAML with the key `gate`. */
  policy?: string | undefined
  /** Variables with the webhooks. They must be set where the file is applied. */
  variables: string[]
}

/** The current state as a file; omits undefined `profiles`. Throws `usage` for names that no file can contain. */
export function exportState(
  current: Omit<CurrentState, 'profiles'>,
  profiles: StoredProfile[] | undefined,
): ExportResult {
  const variables = new Set<string>()
  const { account: stored } = current
  const account = stored && {
    ...references(stored, '', variables),
    ...known({
      webhook_release_types: stored.webhook_release_types,
      ...Object.fromEntries(notificationSettingNames.map((name) => [name, stored[name] ?? null])),
    }),
  }
  const names = Map.groupBy(current.subscriptions, ({ name }) => name.toLowerCase())
  const labels = current.labels.map(toWantedLabel)
  const subscriptions = current.subscriptions.map((subscription) => ({
    project: isTelling(subscription.name, names) ? subscription.name : subscription.product_id,
    ...known({
      labels: subscription.labels?.map(({ label_name }) => label_name) ?? null,
      ...Object.fromEntries(plainNames.map((name) => [name, subscription[name]])),
    }),
    ...references(subscription, toSuffix(subscription), variables),
  }))
  return {
    wanted: {
      ...(account && { account }),
      labels,
      subscriptions,
      ...(profiles && { profiles: exportProfiles(profiles) }),
    },
    variables: [...variables],
  }
}

/** Omits unknown fields, because a file changes only what it contains. */
function known<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as never
}

/** An ambiguous name, or one that looks like an id, does not identify a project. */
function isTelling(name: string, names: Map<string, unknown[]>) {
  return !/^\d+$/.test(name) && names.get(name.toLowerCase())?.length === 1
}

/** Replaces each webhook by a variable, because anyone who knows the URL can post to its channel. */
function references(
  stored: Record<WebhookField, Secret | null>,
  suffix: string,
  variables: Set<string>,
): { [F in WebhookField]?: string } {
  return Object.fromEntries(
    webhookFields
      .filter((name) => stored[name])
      .map((name) => {
        const variable = `RELT_${name.toUpperCase()}${suffix}`
        variables.add(variable)
        return [name, `env:${variable}`]
      }),
  )
}

/** The id distinguishes names that are equal in upper case. */
function toSuffix({ name, product_id }: ReceivedSubscription) {
  const word = name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, 60)
  return `${word && `_${word}`}_${product_id}`
}

function exportProfiles(profiles: StoredProfile[]): NonNullable<WantedState['profiles']> {
  const [[twice] = []] = [...Map.groupBy(profiles, ({ name }) => name)].filter(([, same]) => same.length > 1)
  if (twice !== undefined) {
    throw new ReltError('usage', `Several profiles are called ${JSON.stringify(twice)}.`, {
      hint: 'Profiles in a file need different names: rename all but one.',
    })
  }
  return profiles.map(({ name, cluster_name, provider, notes, settings }) => ({
    name,
    ...known({ cluster_name, provider, notes }),
    settings: knownSettings(settings),
  }))
}
