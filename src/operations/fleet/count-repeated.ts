import type { Db } from '../../db/open.ts'
import { nameOfImage, versionsOf } from '../../reports/ledger.ts'
import type { RunCounts } from '../../reports/run-counts.ts'
import type { ImageAdvisories } from '../../reports/scan.ts'
import type { LatestOfCluster } from '../../store/fleet/summary.ts'
import { getParts, type SealedPart } from '../../store/runs/part.ts'
import type { Vault } from '../keys/vault.ts'
import { openPart } from '../runs/context.ts'

/**
 * How many critical findings tell again what another scan of the cluster tells: a vulnerability of the same image. By row id of
 * the cluster; a vulnerability counts once if any scan rates it as critical.
 */
export async function countRepeated(db: Db, vault: Vault, clusters: LatestOfCluster[]): Promise<Map<number, number>> {
  const several = clusters.filter(({ scanners }) => scanners.length > 1)
  const ids = several.flatMap(({ scanners }) => scanners.map(({ runId }) => runId))
  const [advisories, counts] = [await getParts(db, ids, 'advisories'), await getParts(db, ids, 'counts')]
  const open = <T>(publicId: string, part: SealedPart | undefined): T | undefined =>
    part && openPart<T>(vault, publicId, part)
  const repeated = several.map(({ clusterId, scanners }): [number, number] => {
    const told = new Map<string, number>()
    for (const { runId, publicId } of scanners) {
      const critical = open<RunCounts>(publicId, counts.get(runId))?.check.filter(({ findings }) => findings[0]! > 0)
      const isCritical = new Set(critical?.map(({ key }) => key))
      const ofImages = open<ImageAdvisories>(publicId, advisories.get(runId)) ?? {}
      for (const [reference, found] of Object.entries(ofImages)) {
        const image = `${nameOfImage(reference)} ${versionsOf(reference)[0]}`
        for (const id of new Set(found))
          if (isCritical.has(id)) told.set(`${image} ${id}`, 1 + (told.get(`${image} ${id}`) ?? 0))
      }
    }
    return [clusterId, [...told.values()].reduce((sum, many) => sum + many - 1, 0)]
  })
  return new Map(repeated)
}
