import type { Db } from '../../db/open.ts'
import type { InstalledVersion, InstalledVersions } from '../../delivery/rules.ts'
import type { AssessedItem } from '../../freshness/index.ts'
import { artifactOwners } from '../../reports/artifact-owners.ts'
import { listLatestRuns } from '../../store/runs/latest-run.ts'
import { getParts } from '../../store/runs/part.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { findOwnershipFor } from '../findings/ownership.ts'
import { findRunningArtifacts } from '../freshness/running-artifacts.ts'
import type { Unlock } from '../keys/vault.ts'
import { readContext } from '../runs/context.ts'
import { artifactName } from './running-versions.ts'

interface Options {
  db: Db
  vault: Unlock
  now: UnixSeconds
}

/** Adds the current owners of workloads to running versions, by rules and labels. */
export async function withOwners(running: InstalledVersions, options: Options): Promise<InstalledVersions> {
  const ownerIds = new Set([...running.values()].flat().map(({ ownerId }) => ownerId))
  const owners = new Map<string, string[]>()
  for (const ownerId of ownerIds) await addOwners(owners, ownerId, [...running.keys()], options)
  return new Map(
    [...running].map(([projectId, versions]) => [
      projectId,
      versions.map((one) => ({ ...one, owners: owners.get(toKey(projectId, one)) })),
    ]),
  )
}

async function addOwners(
  owners: Map<string, string[]>,
  ownerId: number,
  projectIds: number[],
  { db, vault, now }: Options,
) {
  const ownership = await findOwnershipFor(db, ownerId, vault)
  const keys = await vault()
  const rowIds = new Map((await listLatestRuns(db, ownerId)).map(({ id, run }) => [run.run_id, id]))
  const { runs } = await findRunningArtifacts(db, { ownerId, vault, now }, { projectIds })
  for (const { run, assessed } of runs) {
    if (assessed.length === 0) continue
    const context = (await getParts(db, [rowIds.get(run.run_id)!], 'context')).get(rowIds.get(run.run_id)!)
    if (!context) continue
    const ownersFor = artifactOwners(ownership, run, readContext(keys, run.run_id, context).artifacts)
    if (!ownersFor) continue
    for (const [key, places] of placesByVersion(ownerId, run, assessed)) owners.set(key, ownersFor(places))
  }
}

function placesByVersion(
  ownerId: number,
  { cluster_name: cluster, environment }: { cluster_name: string; environment: string },
  assessed: AssessedItem[],
) {
  const found = new Map<string, AssessedItem['places']>()
  for (const item of assessed) {
    const { type: kind, currentVersion: version, match, places } = item
    const key = toKey(match.project!.id, { ownerId, cluster, environment, kind, name: artifactName(item), version })
    found.set(key, [...(found.get(key) ?? []), ...places])
  }
  return found
}

const toKey = (
  projectId: number,
  { ownerId, cluster, environment, kind, name, version }: Omit<InstalledVersion, 'labels' | 'owners'>,
) => JSON.stringify([projectId, ownerId, cluster, environment, kind, name, version])
