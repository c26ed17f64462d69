import type { Scan } from '../scan.ts'
import { string } from '../text.ts'
import { ScanCollector } from './collector.ts'
import { object, openObject, type Values } from './values.ts'

/** Any JSON object: only the cluster's name and the score are read, from where an upload has them. */
export function readUnknown(bytes: Uint8Array): Scan {
  const reader = openObject(bytes)
  let metadata: Values = {}
  for (const key of reader.members()) {
    // Reading the other members checks that they are JSON.
    const value = reader.value()
    if (key === 'metadata') metadata = object(value)
  }
  reader.end()
  const { clusterName, score } = metadata
  const collector = new ScanCollector('unknown')
  collector.warn('Nothing in the report was understood. It is stored as it is, and none of its checks passed.')
  const isScore = typeof score === 'number' && score >= 0 && score <= 100
  return {
    ...collector.finish({ clusterName: string(clusterName) }),
    score: isScore ? { value: score, source: 'scanner' } : undefined,
  }
}
