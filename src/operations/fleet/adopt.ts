import type { Lock } from '../../db/lock.ts'
import type { Db } from '../../db/open.ts'
import { takeLock, takeLocks } from '../../db/transaction.ts'
import { getOwnAccount } from '../../store/accounts/owner.ts'
import { findUser, localLogin } from '../../store/accounts/user.ts'
import { moveExceptions } from '../../store/findings/exception.ts'
import { countRuns, mergeClusters, moveCluster } from '../../store/fleet/adopt.ts'
import { placeKey } from '../../store/fleet/place.ts'
import { listClusters } from '../../store/runs/cluster.ts'
import { listAllConfigs, moveConfig, replaceConfig } from '../../store/runs/cluster-config.ts'
import { formatTimestamp } from '../../util/time.ts'
import type { Vault } from '../keys/vault.ts'
import { openConfig, sealConfig } from '../runs/cluster-config.ts'

interface Adoption {
  from: number
  to: number
  /** Suffix for a profile whose name is taken. */
  login: string
  vault: Vault
  /** Unix seconds. */
  now: number
}

/** Whether the local user has clusters, which no team can see yet. */
export async function hasLocalClusters(db: Db) {
  const local = await findUser(db, localLogin)
  return local !== undefined && (await listClusters(db, { ownerId: await getOwnAccount(db, local.id) })).length > 0
}

/** Call inside a transaction: moves everything from one owner to another. */
export async function adopt(trx: Db, { from, to, login, vault, now }: Adoption) {
  const result = {
    /** Clusters moved to the team. */
    clusters: 0,
    /** Number of these clusters that were merged into one with the same name and environment. */
    merged: 0,
    runs: 0,
    /** Removed runs, which the team already had with the same content and time. */
    duplicates: 0,
    profiles: 0,
    exceptions: 0,
    /** Profiles renamed because the team has one with the same name. */
    renamed: [] as { from: string; to: string }[],
  }
  await lockOwners(trx, [from, to])
  const known = new Map((await listClusters(trx, { ownerId: to })).map((each) => [placeKey(each), each]))
  for (const cluster of await listClusters(trx, { ownerId: from })) {
    const into = known.get(placeKey(cluster))
    result.clusters++
    if (into) {
      const { moved, duplicates } = await mergeClusters(trx, cluster, into)
      result.merged++
      result.runs += moved
      result.duplicates += duplicates
    } else {
      result.runs += await countRuns(trx, cluster.id)
      await moveCluster(trx, cluster.id, to)
    }
  }
  result.exceptions = await moveExceptions(trx, from, to)
  const taken = new Set((await listAllConfigs(trx, to)).map((stored) => stored.name))
  for (const stored of await listAllConfigs(trx, from)) {
    result.profiles++
    await moveConfig(trx, stored.configId, to)
    const name = freeName(stored.name, login, taken)
    taken.add(name)
    if (name === stored.name) continue
    result.renamed.push({ from: stored.name, to: name })
    const config = { ...openConfig(vault, stored), name, updated_at: formatTimestamp(now) }
    await replaceConfig(trx, to, sealConfig(vault, config))
  }
  return result
}

async function lockOwners(trx: Db, owners: number[]) {
  const owned = owners.toSorted((a, b) => a - b)
  await takeLocks(
    trx,
    owned.map((id): Lock => `owner:${id} profiles`),
  )
  await takeLock(trx, 'cluster runs')
}

function freeName(name: string, login: string, taken: Set<string>) {
  let candidate = name
  for (let number = 1; taken.has(candidate); number++) {
    candidate = number === 1 ? `${name} (${login})` : `${name} (${login} ${number})`
  }
  return candidate
}
