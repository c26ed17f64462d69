import type { RouteCaller } from '../client/client.ts'
import type { WebhookField } from '../contract/channels.ts'
import type { NotificationSettings } from '../contract/notification-settings.ts'
import type { OwnerRule } from '../contract/ownership.ts'
import type { ReceivedClusterConfig } from '../contract/received/cluster-config.ts'
import type { ReceivedSubscription } from '../contract/received/subscription.ts'
import type { RouteAnswer } from '../contract/routes.ts'
import type { ScanSettings } from '../contract/scan-settings.ts'
import { ReltError } from '../errors.ts'
import { allPages } from '../util/all-pages.ts'
import type { Secret } from '../util/secret.ts'

type AccountSettings = Record<WebhookField, Secret | null> & { webhook_release_types: string | null } & {
  [K in keyof NotificationSettings]?: NotificationSettings[K] | null | undefined
}

/** A profile with an id, and its settings. */
export type StoredProfile = ReceivedClusterConfig & { config_id: string; settings: ScanSettings }

/** The current state of everything that a file can describe. */
export interface CurrentState {
  labels: RouteAnswer<'listLabels'>['labels']
  subscriptions: ReceivedSubscription[]
  /** Undefined if the server returns the account without its webhooks. */
  account: AccountSettings | undefined
  profiles: StoredProfile[]
  owners: OwnerRule[]
  /** Null if none is stored. */
  policy: string | null
}

/** Profiles, owners and policies need a paid plan, so they are only requested if needed. */
export async function readCurrent(
  client: RouteCaller,
  { profiles, owners, policy }: { profiles: boolean; owners?: boolean; policy?: boolean },
): Promise<CurrentState> {
  const dashboard = await client.call('getDashboard', {})
  // The compact form of the dashboard only has counts.
  const isFull = dashboard.subscriptions !== null
  return {
    labels: dashboard.labels ?? (await client.call('listLabels', {})).labels,
    subscriptions: dashboard.subscriptions ?? (await client.call('listSubscriptions', {})).subscriptions,
    account: isFull ? dashboard : undefined,
    profiles: profiles ? await readProfiles(client) : [],
    owners: owners ? (await client.call('getOwners', {})).owners : [],
    policy: policy ? (await client.call('getGatePolicy', {})).policy : null,
  }
}

/** All profiles with their settings. Throws `bad_answer` for one without an id. */
async function readProfiles(client: RouteCaller) {
  const listed = await allPages((page) =>
    client.call('listConfigs', { query: { page, per_page: 100, include: 'settings' } }),
  )
  return Array.fromAsync(listed, async (profile) => {
    const { name, config_id, notes = null, settings } = profile
    if (config_id === null) throw new ReltError('bad_answer', `The server does not say the id of the profile ${name}.`)
    if (settings !== undefined) return { ...profile, config_id, notes, settings }
    return { ...profile, ...(await client.call('getConfig', { params: { config_id } })), config_id }
  })
}
