import { expect, test } from 'vitest'
import { scan } from '../../../reports/scan.ts'
import { day, now, openRoutes } from '../../harness.ts'

/** Runs of three environments of one cluster and of another cluster, which is uploaded before the last of them. */
async function withEnvironments() {
  const routes = await openRoutes()
  const { ada, as, upload } = routes
  const run = async (cluster: string, environment: string, daysAgo: number) => {
    const generatedAt = new Date((now - daysAgo * day) * 1000).toISOString()
    const rows = [{ resource: `${cluster}/${environment}/${daysAgo}` }]
    return (await upload([], { report: scan(rows, { cluster, generatedAt }), body: { environment }, user: ada })).run_id
  }
  const ids = {
    prodOld: await run('shop', 'prod', 3),
    prod: await run('shop', 'prod', 1),
    other: await run('other', 'prod', 0),
    dev: await run('shop', 'dev', 2),
    staging: await run('shop', 'staging', 5),
  }
  const list = async (query: object = {}) => {
    const { items, environments, total } = await as(ada, 'listReports', { query })
    return { runs: items.map(({ run_id }) => run_id), environments, total }
  }
  const environments = ['dev', 'prod', 'staging']
  return { ...routes, ids, list, environments }
}

test('lists the runs of all environments of a cluster, newest first', async () => {
  const { ids, list, environments } = await withEnvironments()
  const runs = [ids.prod, ids.dev, ids.prodOld, ids.staging]
  expect(await list({ cluster_name: 'shop' })).toEqual({ runs, environments, total: 4 })
  expect(await list()).toEqual({ runs, environments, total: 4 })
  const pages = [await list({ per_page: 3 }), await list({ per_page: 3, page: 2 })]
  expect(pages.flatMap((page) => page.runs)).toEqual(runs)
})

test('lists the runs of one environment and names all', async () => {
  const { ids, list, environments } = await withEnvironments()
  expect(await list({ cluster_name: 'shop', environment: 'dev' })).toEqual({ runs: [ids.dev], environments, total: 1 })
  expect(await list({ cluster_name: 'shop', environment: 'none' })).toEqual({ runs: [], environments: [], total: 0 })
})

test('lists nothing of a cluster of somebody else', async () => {
  const { as, admin, bob } = await withEnvironments()
  const query = { cluster_name: 'shop' }
  for (const { id, login, role } of [admin, bob]) {
    const user = { id, login, role, plan: 'pro' as const }
    expect(await as(user, 'listReports', { query })).toMatchObject({ items: [], total: 0, environments: [] })
    expect(await as(user, 'reportTrends', { query })).not.toHaveProperty('other_environments')
  }
})

test('compares and draws the environment of the latest run, and names the others', async () => {
  const { ada, as, ids } = await withEnvironments()
  for (const query of [{}, { cluster_name: 'shop' }]) {
    expect(await as(ada, 'compareReports', { query })).toMatchObject({
      environment: 'prod',
      other_environments: ['dev', 'staging'],
      from: { run_id: ids.prodOld },
      to: { run_id: ids.prod },
    })
    expect(await as(ada, 'reportTrends', { query })).toMatchObject({
      cluster_name: 'shop',
      environment: 'prod',
      other_environments: ['dev', 'staging'],
      points: [{ run_id: ids.prodOld }, { run_id: ids.prod }],
    })
  }
})

test('names no others when an environment or a run is asked for', async () => {
  const { ada, as, ids } = await withEnvironments()
  const query = { cluster_name: 'shop', environment: 'prod' }
  expect(await as(ada, 'compareReports', { query })).not.toHaveProperty('other_environments')
  expect(await as(ada, 'reportTrends', { query })).not.toHaveProperty('other_environments')
  const named = await as(ada, 'compareReports', { query: { to_run_id: ids.prod } })
  expect(named).not.toHaveProperty('other_environments')
  expect(named).not.toHaveProperty('across_clusters')
})

test('a cluster with one environment has no others', async () => {
  const { ada, as } = await withEnvironments()
  expect(await as(ada, 'reportTrends', { query: { cluster_name: 'other' } })).toMatchObject({ other_environments: [] })
})

test('marks a comparison of two clusters or environments', async () => {
  const { ada, as, ids } = await withEnvironments()
  for (const from_run_id of [ids.dev, ids.other]) {
    const comparison = await as(ada, 'compareReports', { query: { from_run_id, to_run_id: ids.prod } })
    expect(comparison).toMatchObject({ across_clusters: true, cluster_name: 'shop', environment: 'prod' })
  }
})
