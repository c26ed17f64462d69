import { afterEach, expect, test, vi } from 'vitest'
import { loadClusters, pendingRemarks } from '../../../../src/cli/commands/clusters/load.ts'
import type { Cli } from '../../../../src/cli/program/command.ts'

afterEach(() => void vi.restoreAllMocks())

/** A server that makes the figures of one cluster in each call, which takes that long. */
function serverFor({ clusters, msEach }: { clusters: number; msEach: number }) {
  let [pending, now] = [clusters, 0]
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const call = async () => {
    now += msEach
    return { items: [], summary: { clusters, pending: --pending } }
  }
  return { io: { errCanRedraw: false }, call } as unknown as Cli
}

test('asks until every cluster has its figures', async () => {
  const { summary } = await loadClusters(serverFor({ clusters: 100, msEach: 50 }), {})
  expect(summary?.pending).toBe(0)
})

test('waits for a server that makes figures meanwhile, and not for one that makes none', async () => {
  const pendings = (...counts: number[]) => {
    const call = async () => ({ items: [], summary: { clusters: 9, pending: counts.shift()! } })
    return { io: { errCanRedraw: false }, call } as unknown as Cli
  }
  expect((await loadClusters(pendings(3, 3, 2, 2, 0), {})).summary?.pending).toBe(0)
  expect((await loadClusters(pendings(3, 3, 3, 3, 3, 0), {})).summary?.pending).toBe(3)
})

test('waits ten seconds at most, and says which figures are missing', async () => {
  const { summary } = await loadClusters(serverFor({ clusters: 100, msEach: 1000 }), {})
  expect(summary?.pending).toBe(88)
  expect(JSON.stringify(pendingRemarks(88))).toContain('The figures of 88 clusters are missing')
})
