import { expect, test } from 'vitest'
import type { FleetSummary } from '../../src/contract/cluster.ts'
import { supportTile } from '../../src/views/fleet-tiles.ts'
import { plainText } from '../../src/views/said.ts'

test.each<[version: string, provider: string | null, said: string]>([
  ['v1.34.1-eks-abc123', null, 'Kubernetes 1.34 EKS standard on 2026-12-02'],
  ['v1.34.1', 'aks', 'Kubernetes 1.34 AKS standard on 2026-11-30'],
  ['v1.35.1+k3s1', 'kubernetes', 'Kubernetes 1.35 upstream on 2027-02-28'],
  ['v1.34.1-gke.1829001', null, 'none known '],
  ['v1.37.0-eks-abc123', null, 'none known '],
])('the next end of support of %s (%s) is that of its offering: %s', (kubernetes_version, provider, said) => {
  const items = [{ kubernetes_version, provider, freshness: null }]
  const now = Date.parse('2026-11-27T12:00:00Z') / 1000
  const { value, more } = supportTile({ items, summary: { clusters: 1 } as FleetSummary }, now)
  expect(`${plainText(value)} ${plainText(more ?? [])}`).toBe(said)
})
