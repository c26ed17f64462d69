import { describe, expect, test } from 'vitest'
import type { RouteName } from '../../src/contract/routes.ts'
import { clustersPage } from '../../src/html/pages/clusters.ts'
import { comparePage } from '../../src/html/pages/compare.ts'
import { trendsPage } from '../../src/html/pages/trends.ts'
import { View, type WebPage } from '../../src/html/pages/view.ts'
import { exampleFor } from '../helpers/examples/index.ts'

// biome-ignore lint/suspicious/noExplicitAny: parts of answers of several routes
type Answer = any

const now = Date.UTC(2026, 10, 22) / 1000
const viewer = { login: 'ada', isPro: true, nonce: undefined, isReadOnly: false, team: null, teams: [] }
const answerFor = (name: RouteName): Answer => structuredClone(exampleFor(name).answer)
const cluster = answerFor('getCluster')
const fleet = (items: Answer[], summary: object = {}) => ({
  ...{ page: 1, per_page: 20, total: items.length, total_pages: 1, items },
  summary: { clusters: items.length, needs_attention: 1, pending: 0, attention: {}, ...summary },
})

async function show(page: WebPage, answers: Record<string, Answer>): Promise<{ body: string; asked: RouteName[] }> {
  const asked: RouteName[] = []
  const call = async (name: RouteName) => {
    asked.push(name)
    return answers[name] ?? answerFor(name)
  }
  const view = new View({ path: page.path, query: {}, viewer, now })
  const { body } = await page.show({ params: {}, query: {}, view, call: call as never })
  return { body: String(body).replace(/\s+/g, ' '), asked }
}

const tile = (title: string, value: string) => new RegExp(`<span class="label">${title}</span><b[^>]*>${value}</b>`)

test('the page of clusters begins with what is urgent', async () => {
  const attention = { new_critical: 3, overdue: 1, no_scan: 1 }
  const now = { clusters: 4, known: 0, attention }
  const { body } = await show(clustersPage, { listClusters: fleet([cluster], { now, clusters: 5 }) })
  expect(body).toMatch(tile('New critical', '3 clusters'))
  expect(body).toMatch(tile('Silent', '2 clusters'))
  expect(body).toMatch(tile('Exploited', '0 clusters'))
  expect(body.indexOf('New critical')).toBeLessThan(body.indexOf('<table'))
})

test('it names the next Kubernetes to lose its support, and the upgrades that help most', async () => {
  const older = { ...cluster, kubernetes_version: 'v1.35.1' }
  const newer = { ...cluster, kubernetes_version: 'v1.36.0' }
  const { body } = await show(clustersPage, { listClusters: fleet([newer, older]) })
  expect(body).toMatch(/Next end of support<\/span><b[^>]*>Kubernetes <bdi>1\.35<\/bdi>/)
  expect(body).toMatch(/Upgrade first<\/span><ol><li><a href="\/projects\/7">Argo CD<\/a> to <bdi>v3\.5\.2<\/bdi>/)
})

test('clusters whose figures are missing are not told as calm', async () => {
  const { body } = await show(clustersPage, { listClusters: fleet([cluster], { pending: 2 }) })
  expect(body).toContain('2 not known yet')
})

test('a large fleet is not compared for the page of clusters', async () => {
  const { asked } = await show(clustersPage, { listClusters: fleet([cluster], { clusters: 1000 }) })
  expect(asked).not.toContain('getImpact')
})

describe.each([
  ['/compare', comparePage],
  ['/trends', trendsPage],
])('%s without a cluster', (path, page) => {
  test('is about the only one', async () => {
    const { asked } = await show(page, { listClusters: fleet([cluster]) })
    expect(asked.length).toBeGreaterThan(1)
  })

  test('lets one choose of several', async () => {
    const { body, asked } = await show(page, { listClusters: fleet([cluster, { ...cluster, cluster_name: 'other' }]) })
    expect(asked).toEqual(['listClusters'])
    expect(body).toContain(`href="${path}?cluster_name=other&amp;environment=${cluster.environment}"`)
  })
})
