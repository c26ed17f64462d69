import type { ReceivedCluster } from '../contract/received/cluster.ts'

/** A row in a table of clusters; `scanner` is set if the cluster has several scanners or subjects, each with its own row. */
export type ScannerRow<C> = C & { scanner?: string }

/** The scanner, and what it is about unless that is the cluster. */
export const scannerName = ({ format, subject }: { format: string; subject?: string | undefined }) =>
  subject === undefined ? format : `${format} ${subject}`

/** One row per scanner, the one with the most urgent reasons first. */
export function scannerRows<C extends Pick<ReceivedCluster, 'attention' | 'scanners'>>(clusters: C[]): ScannerRow<C>[] {
  return clusters.flatMap((cluster): ScannerRow<C>[] => {
    const scanners = cluster.scanners ?? []
    if (scanners.length < 2 && !scanners[0]?.subject) return [cluster]
    const ofScanners = new Set<string>(scanners.flatMap(({ attention }) => attention))
    return scanners.map((scanner, i) => {
      // The first row also has reasons that are not specific to a scanner, such as those of running artifacts.
      const attention = (cluster.attention ?? []).filter(
        (reason) => scanner.attention.some((each) => each === reason) || (i === 0 && !ofScanners.has(reason)),
      )
      return {
        ...cluster,
        ...scanner,
        scanner: scannerName(scanner),
        scanners: [scanner],
        attention,
      }
    })
  })
}
