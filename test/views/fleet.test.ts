import { describe, expect, test } from 'vitest'
import { clusterAttention } from '../../src/contract/choices.ts'
import type { FleetSummary } from '../../src/contract/cluster.ts'
import type { ReceivedCluster } from '../../src/contract/received/cluster.ts'
import { formatTimestamp } from '../../src/util/time.ts'
import { clusterVerdict, fleetVerdict, judge } from '../../src/views/fleet.ts'
import { plainText } from '../../src/views/said.ts'

const now = Date.UTC(2026, 8, 1, 12) / 1000
const day = 86_400

const clusterWith = (more: object): ReceivedCluster =>
  ({
    ...{ cluster_id: 'clus_a', cluster_name: 'shop', environment: 'prod', attention: [], scanners: [], gate: null },
    ...{ last_scan: formatTimestamp(now - 60 * day), latest_run: { score: 80, score_delta: 0, is_empty: false } },
    ...{ freshness: { exploited: 1, artifacts: 1, known: 1 }, changes: { new_high: 1 }, expected_reports: null },
    ...{ expected_every: null, has_figures: true },
    ...more,
  }) as unknown as ReceivedCluster

const formatSummary = (more: Partial<FleetSummary>): FleetSummary => ({
  ...{ clusters: 1, attention: {}, needs_attention: 0, pending: 0 },
  ...more,
})

describe('what needs somebody now', () => {
  test.each([
    'compromised',
    'exploited',
    'gate_failed',
    'new_critical',
    'new_high',
    'overdue',
    'no_scan',
    'score_fell',
  ])('has %s, however old it is', (reason) => {
    expect(judge(clusterWith({ attention: [reason] }), now)).toEqual({ ofNow: [reason], known: [] })
    expect(clusterVerdict(clusterWith({ attention: [reason] }), now).state).toBe('failed')
  })

  test('follows the server, which knows what else is of now', () => {
    const cluster = clusterWith({ attention: ['exploited', 'major_behind'], attention_now: ['major_behind'] })
    expect(judge(cluster, now)).toEqual({ ofNow: ['major_behind'], known: ['exploited'] })
  })

  test.each([...clusterAttention])('is never green with %s', (reason) => {
    const cluster = clusterWith({ attention: [reason] })
    expect(clusterVerdict(cluster, now).state).not.toBe('passed')
    const summary = formatSummary({ attention: { [reason]: 1 }, needs_attention: 1 })
    expect(fleetVerdict({ items: [cluster], total: 1, summary }, now).state).not.toBe('passed')
  })
})

describe('the verdict about clusters', () => {
  test('counts the known ones apart', () => {
    const counts = { clusters: 2, known: 7, attention: { new_critical: 1, overdue: 1 } }
    const summary = formatSummary({ clusters: 10, needs_attention: 9, now: counts })
    const { state, words, more = [] } = fleetVerdict({ items: [], total: 10, summary }, now)
    expect([state, plainText(words), ...more.map(plainText)]).toEqual([
      ...['failed', '2 of 10 clusters need attention'],
      ...['1 with new critical findings, 1 silent', '7 more have known problems only'],
    ])
  })

  test('is undecided where a server does not say, and where clusters were not looked at', () => {
    expect(fleetVerdict({ items: [], total: 3 }, now).state).toBe('undecided')
    expect(fleetVerdict({ items: [], total: 3, summary: formatSummary({ clusters: 3 }) }, now).state).toBe('undecided')
    expect(fleetVerdict({ items: [], total: 0, summary: formatSummary({ clusters: 0 }) }, now).state).toBe('undecided')
  })
})
