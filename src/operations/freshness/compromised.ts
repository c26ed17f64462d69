import type { Db } from '../../db/open.ts'
import type { AssessedItem } from '../../freshness/index.ts'
import { hasState } from '../../lifecycle/has-state.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import type { Unlock, Vault } from '../keys/vault.ts'
import { assessRun } from './of-run.ts'

/** Identifies an artifact of a cluster in places where its name must not be readable. */
function hashArtifact(vault: Vault, clusterId: number, key: string) {
  return vault.keyedHash('compromised-artifact', `${clusterId} ${key}`).toString('base64url').slice(0, 22)
}

/** Hashes of compromised artifacts. */
export function hashCompromised(vault: Vault, clusterId: number, assessed: readonly AssessedItem[]) {
  const planted = assessed.filter(({ states }) => states.reasons.some(({ state }) => state === 'compromised'))
  return [...new Set(planted.map(({ key }) => hashArtifact(vault, clusterId, key)))]
}

/** The compromised artifact with this hash; undefined if current facts no longer say so. */
export async function findCompromised(
  db: Db,
  run: StoredRun,
  { vault, now, hash }: { vault: Unlock; now: number; hash: string },
) {
  const { items } = await assessRun(db, run, { vault, now, explain: false })
  const keys = await vault()
  const item = items
    .filter((one) => hasState(one, 'compromised'))
    .find(({ artifact_key }) => hashArtifact(keys, run.clusterId, artifact_key) === hash)
  if (!item) return undefined
  const source = item.facts?.find(({ state }) => state === 'compromised')?.source ?? null
  return { artifact: item.display_name, advice: item.recommendation, source, places: item.workloads }
}
