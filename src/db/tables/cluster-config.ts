import type { Generated } from 'kysely'
import type { Provider } from '../../contract/cluster-config.ts'
import type { Sealed } from '../../util/seal.ts'
import type { UnixSeconds } from '../../util/time.ts'

/** A scan profile. It is sealed as a whole; columns for lists are stored beside it. */
export interface ClusterConfigTable {
  id: Generated<number>
  config_id: string
  owner_id: number
  cluster_name: string
  /** Null in a profile of an older release that was not listed since. */
  name: string | null
  provider: Provider | null
  created_at: UnixSeconds
  updated_at: UnixSeconds
  key_id: string
  sealed: Sealed
}
