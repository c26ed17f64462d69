import type { ReceivedClusterConfig } from '../contract/received/cluster-config.ts'
import type { ScanSettings } from '../contract/scan-settings.ts'
import type { Profile } from './profile.ts'

/** Input of the generators. Without a provider from the server, no provider's settings are set. */
export function asProfile(
  config: Pick<ReceivedClusterConfig, 'config_id' | 'name' | 'cluster_name' | 'provider'> & { settings: ScanSettings },
): Profile {
  const { config_id, name, cluster_name, provider, settings } = config
  return {
    ...(config_id !== null && { config_id }),
    name,
    cluster_name: cluster_name ?? '',
    provider: provider ?? 'kubernetes',
    settings,
  }
}
