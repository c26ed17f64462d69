import { expect, test } from 'vitest'
import { openDatabase } from '../../src/db/open.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { distinctReport } from '../helpers/distinct-report.ts'
import { reltFile, start } from '../helpers/process.ts'
import { openServer } from './socket.ts'

const base = '/api/relt/v1'

async function openWithReports() {
  const data = temporaryFolder()
  const server = await openServer({ data })
  const headers = { ...server.headers, 'content-type': 'application/json' }
  const call = async (path: string, body?: unknown) => {
    const init = { headers, ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }) }
    const response = await fetch(`${server.url}${base}${path}`, init)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return { ...server, data, call }
}

test('uploads and comparisons are answered by worker threads as in this one', async () => {
  const { call } = await openWithReports()
  const first = await call('/cluster-reports', { report: distinctReport(1, 9000) })
  expect(first).toMatchObject({ status: 201, body: { success: true } })
  expect(await call('/cluster-reports', { report: distinctReport(1, 9000) })).toMatchObject({
    status: 200,
    body: { run_id: first.body.run_id, duplicate: true },
  })
  await call('/cluster-reports', { report: distinctReport(2, 9000) })
  expect((await call('/cluster-reports/compare?cluster_name=load')).body).toMatchObject({
    new_findings_count: 4500,
    resolved_findings_count: 4500,
  })
  const { body } = await call(`/cluster-reports/${first.body.run_id}?include_report=true`)
  expect(body.report).toEqual(distinctReport(1, 9000))
})

test('errors of a worker keep their code, parameters and status', async () => {
  const { call } = await openWithReports()
  expect(await call('/cluster-reports/compare?per=1&cluster_name=nothing')).toMatchObject({
    status: 404,
    body: { code: 'rest_no_route' },
  })
  expect(await call('/cluster-reports', { report: { a: 1 } })).toMatchObject({
    status: 400,
    body: { data: { params: expect.anything() } },
  })
  const trends = await call('/cluster-reports/trends?cluster_name=a&window_days=x')
  expect(trends).toMatchObject({ status: 400, body: { data: { params: { window_days: expect.any(String) } } } })
})

test('a server that stops ends its workers, and nothing is half stored', async () => {
  const { call, stop, data } = await openWithReports()
  const uploads = Array.from({ length: 4 }, (_, i) => call('/cluster-reports', { report: distinctReport(i, 9000) }))
  const answers = await Promise.allSettled([...uploads, stop(0)])
  const stored = answers.filter((answer) => answer.status === 'fulfilled' && answer.value?.status === 201).length
  const db = await openDatabase(`${data}/relt.db`)
  const runs = await db.selectFrom('run').select('id').execute()
  const audit = await db.selectFrom('audit').select('id').where('action', '=', 'report.upload').execute()
  await db.destroy()
  expect(runs.length).toBeGreaterThanOrEqual(stored)
  expect(audit).toHaveLength(runs.length)
})

test('nobody starts a worker from the command line', async () => {
  const { code, stderr } = await start(reltFile, ['--relt-worker'], {}).finished
  expect(code).toBe(2)
  expect(stderr).toContain('relt serve')
})
