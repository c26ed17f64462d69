import type { Client } from '../client/client.ts'
import type { ListedConfig } from '../contract/received/cluster-config.ts'
import { asProfile } from '../profiles/as-profile.ts'
import type { Profile } from '../profiles/index.ts'
import { allPages } from '../util/all-pages.ts'
import { knownId } from '../util/known-id.ts'
import { type NamedKind, pickNamed } from '../util/pick-named.ts'

export const profileKind: NamedKind<ListedConfig> = {
  kind: 'profile',
  describe: ({ config_id, name, cluster_name, provider }) => ({
    id: config_id ?? '-',
    name,
    about: `${cluster_name ?? '-'} (${provider ?? '-'}), ${config_id ?? '-'}`,
  }),
  hint: 'List them: relt profiles list',
}

/** Without settings if the server omits them in lists. */
export function listProfiles(client: Client): Promise<ListedConfig[]> {
  return allPages((page) => client.call('listConfigs', { query: { page, per_page: 100 } }))
}

/** A stored scan profile with its settings. Throws `not_found`, and `usage` if several have the name. */
export async function findProfile(client: Client, idOrName: string): Promise<Profile> {
  const { settings, ...listed } = pickNamed(await listProfiles(client), idOrName, profileKind)
  if (settings !== undefined) return asProfile({ ...listed, settings })
  const config_id = knownId(listed.config_id, `the profile ${listed.name}`)
  return asProfile({ ...(await client.call('getConfig', { params: { config_id } })), config_id })
}
