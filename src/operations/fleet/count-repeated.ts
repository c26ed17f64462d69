import type { Db } from '../../db/open.ts'
import { nameOfImage, versionsOf } from '../../reports/ledger.ts'
import type { RunCounts } from '../../reports/run-counts.ts'
import type { ImageAdvisories } from '../../reports/scan.ts'
import type { LatestOfCluster } from '../../store/fleet/summary.ts'
import { getParts, type SealedPart } from '../../store/runs/part.ts'
import type { Vault } from '../keys/vault.ts'
import { openPart } from '../runs/context.ts'

/**
 * How many critical findings repeat what another scan of the cluster reports: a vulnerability of the same image. By row id of
 * the cluster. Counts know the severities of a vulnerability and not of which image, so one that a scan rates in several ways
 * repeats nothing.
 */
export async function countRepeated(db: Db, vault: Vault, clusters: LatestOfCluster[]) {
  const several = clusters.filter(({ scanners }) => scanners.length > 1)
  const ids = several.flatMap(({ scanners }) => scanners.map(({ runId }) => runId))
  const [advisories, counts] = [await getParts(db, ids, 'advisories'), await getParts(db, ids, 'counts')]
  const open = <T>(publicId: string, part: SealedPart | undefined): T | undefined =>
    part && openPart<T>(vault, publicId, part)
  const repeated = several.map(({ clusterId, scanners }): [number, number] => {
    const scans = scanners.flatMap(({ runId, publicId }) => {
      const checks = open<RunCounts>(publicId, counts.get(runId))?.check ?? []
      const onlyCritical = checks.filter(({ findings: [critical = 0, ...others] }) => critical > 0 && sum(others) === 0)
      const keys = new Set(onlyCritical.map(({ key }) => key))
      const ofImages = Object.entries(open<ImageAdvisories>(publicId, advisories.get(runId)) ?? {})
      const found = ofImages.flatMap(([reference, ids]) => {
        const image = `${nameOfImage(reference)} ${versionsOf(reference)[0]}`
        return ids.filter((id) => keys.has(id)).map((id) => `${image} ${id}`)
      })
      return [...new Set(found)]
    })
    return [clusterId, scans.length - new Set(scans).size]
  })
  return new Map(repeated)
}

const sum = (counts: number[]) => counts.reduce((all, each) => all + each, 0)
