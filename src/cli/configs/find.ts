import type { ClusterConfig } from '../../contract/cluster-config.ts'
import type { Cli } from '../command.ts'
import { type Kind, resolve } from '../resolve.ts'

const profiles: Kind<ClusterConfig> = {
  kind: 'profile',
  load: async (client) => (await client.call('listConfigs', {})).items,
  describe: ({ config_id, name, cluster_name, provider }) => ({
    id: config_id,
    name,
    about: `${cluster_name} (${provider}), ${config_id}`,
  }),
  hint: 'See: relt configs list',
}

/** By id or by name; on a terminal chosen from a list when neither is given. */
export function findProfile(cli: Cli, idOrName: string | undefined): Promise<ClusterConfig> {
  return resolve(cli, idOrName, profiles)
}
