import type { ReceivedCluster } from '../contract/received/cluster.ts'

/** A row of a table of clusters; `scanner` is set where the cluster has several, each of which has a row. */
export type ScannerRow<C> = C & { scanner?: string }

/** Scanners stand apart: a row for each, the one with the most urgent reasons first. */
export function scannerRows<C extends Pick<ReceivedCluster, 'attention' | 'scanners'>>(clusters: C[]): ScannerRow<C>[] {
  return clusters.flatMap((cluster): ScannerRow<C>[] => {
    const scanners = cluster.scanners ?? []
    if (scanners.length < 2) return [cluster]
    const ofScanners = new Set<string>(scanners.flatMap(({ attention }) => attention))
    return scanners.map((scanner, i) => {
      // The first row also has the reasons that no scanner has: those of what runs.
      const attention = (cluster.attention ?? []).filter(
        (reason) => scanner.attention.some((each) => each === reason) || (i === 0 && !ofScanners.has(reason)),
      )
      return { ...cluster, ...scanner, scanner: scanner.format, scanners: [scanner], attention }
    })
  })
}
