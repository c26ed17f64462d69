import type { Client } from '../../client/client.ts'
import type { ClusterConfig } from '../../contract/cluster-config.ts'
import { ReltError } from '../../errors.ts'

/** A stored profile by its id or its name. Throws `not_found`, or `usage` when several have the name. */
export async function getProfile(client: Client, nameOrId: string): Promise<ClusterConfig> {
  const { items } = await client.call('listConfigs', {})
  const byId = items.find(({ config_id }) => config_id === nameOrId)
  if (byId) return byId
  const named = items.filter(({ name }) => name === nameOrId)
  if (named.length > 1) {
    const ids = named.map(({ config_id }) => config_id).join(', ')
    throw new ReltError('usage', `${named.length} profiles are named ${nameOrId}.`, {
      hint: `Give one by its id: ${ids}`,
    })
  }
  if (named[0]) return named[0]
  const known = items.map(({ name }) => name).slice(0, 10)
  throw new ReltError('not_found', `There is no profile ${nameOrId}.`, {
    hint: known.length > 0 ? `There are: ${known.join(', ')}` : 'Make one: relt configs create',
  })
}
