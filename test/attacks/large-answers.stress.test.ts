import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type RouteName, routes } from '../../src/contract/routes.ts'
import { pages } from '../../src/html/pages/index.ts'
import { tools } from '../../src/mcp/tools/index.ts'
import { answerJob } from '../../src/server/answer-job.ts'
import type { HeavyJob } from '../../src/server/worker-messages.ts'
import { smallReports } from '../helpers/small-store.ts'
import { openHttp } from '../server/http.ts'

/**
 * A comparison of two reports of 200,000 findings has 100 MB: the thread that answers everybody must not read it for one
 * account's page or tool, but get the page, or the few rows that a tool gives.
 */
const cluster = 'large'

async function open() {
  const jobs: HeavyJob[] = []
  const http: Awaited<ReturnType<typeof openHttp>> = await openHttp({
    heavy: (job) => {
      jobs.push(job)
      return answerJob(http.service, job)
    },
  })
  const { headers } = await http.signUp('alice')
  for (const report of smallReports.slice(0, 2)) {
    await http.call('/cluster-reports', { headers, body: { cluster: { name: cluster }, report } })
  }
  jobs.length = 0
  return { ...http, headers, jobs }
}

describe('answers of heavy routes', () => {
  const heavyPages = pages.filter(({ heavy, path }) => heavy && !path.includes('{'))

  test.each(heavyPages)('become the page $path in a worker', async ({ path }) => {
    const { call, headers, jobs } = await open()
    const asked = { headers: { ...headers, accept: 'text/html' }, absolute: true }
    const query = path === '/compare' ? `?cluster_name=${cluster}` : ''
    await call(path + query, asked)
    expect(jobs).toEqual([expect.objectContaining({ page: path })])
  })

  test('become a table to download in a worker', async () => {
    const { call, headers, jobs } = await open()
    const address = '/findings?format=csv&table=findings'
    const answer = await call(address, { headers, absolute: true })
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="relt-findings.csv"',
    ])
    expect(jobs).toEqual([expect.objectContaining({ page: '/findings', format: 'csv', table: 'findings' })])
  })

  test.each(tools)('become rows of the tool $name in a worker', async ({ name }) => {
    const { call, headers, jobs } = await open()
    const args = { cluster_name: cluster, project: 'argo-cd', fingerprint: 'abcdef' }
    const { properties } = tools.find((tool) => tool.name === name)!
    const own = Object.fromEntries(Object.entries(args).filter(([key]) => key in properties))
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: own } }
    await call('/mcp', { headers: { ...headers, accept: 'application/json, text/event-stream' }, absolute: true, body })
    expect(jobs).toEqual([expect.objectContaining({ tool: name })])
  })
})

test('each page that calls a heavy route is made in a worker', () => {
  const called = new Map<string, RouteName[]>()
  for (const file of globSync('src/html/pages/*.ts')) {
    for (const part of readFileSync(file, 'utf8').split(/(?=^export const )/m)) {
      const path = /^ {2}path: '(.*)',$/m.exec(part)?.[1]
      const names = [...part.matchAll(/\bcall\(\s*'(\w+)'/g)].map(([, name]) => name as RouteName)
      if (path !== undefined) called.set(path, names)
    }
  }
  const needed = pages.filter(({ path }) => called.get(path)!.some((name) => 'heavy' in routes[name]))
  expect(needed.length).toBeGreaterThan(5)
  expect(needed.filter(({ heavy }) => !heavy).map(({ path }) => path)).toEqual([])
})
