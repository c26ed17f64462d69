import type { Client } from '../client/client.ts'
import type { ClusterConfig } from '../contract/cluster-config.ts'
import type { Dashboard } from '../contract/subscription.ts'

/** What is there, of what a file can want. */
export type Current = Pick<
  Dashboard,
  'labels' | 'subscriptions' | 'slack_webhook' | 'teams_webhook' | 'generic_webhook' | 'webhook_release_types'
> & { profiles: ClusterConfig[] }

/** Profiles need a paid plan, so they are asked for only where they matter. */
export async function readCurrent(client: Client, { profiles }: { profiles: boolean }): Promise<Current> {
  const dashboard = await client.call('getDashboard', {})
  return { ...dashboard, profiles: profiles ? (await client.call('listConfigs', {})).items : [] }
}
