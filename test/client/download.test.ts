import { expect, test } from 'vitest'
import { splitReport } from '../../src/client/split-report.ts'
import { json, openHostile } from './hostile.ts'
import { openClient, openLocal, openRemote } from './open.ts'

const report =
  '{ "metadata": {"clusterName": "shop", "n": 1.50, "m": 12345678901234567890},\n  "checks": {"A": {"Total": 0, "u": "\\u00e9"}} }'

test.each([
  ['a server', () => openRemote({ hasThreads: true })],
  ['this machine', openLocal],
])('a report comes back byte for byte from %s', async (_, open) => {
  const client = await open()
  const artifacts = { images: [{ fullRef: 'nginx:1.27.3', namespace: 'shop', workloadName: 'web' }] }
  const body = { artifacts, environment: 'test' }
  const { run_id } = await client.call('uploadReport', { body, report: Buffer.from(`\ufeff${report}\n`) })
  const input = { params: { run_id }, query: { include_report: true } }
  const found = await client.download('getReport', input)
  expect(Buffer.from(found.report!).toString()).toBe(report)
  expect(found.answer).toMatchObject({ run_id, environment: 'test', size_bytes: report.length })
  const image = { fullRef: 'nginx:1.27.3', namespace: 'shop', workloadKind: 'workload', workloadName: 'web' }
  expect(found.answer.inventory).toMatchObject({ images: [image], helmCharts: [], apps: [] })
  const run = await client.call('getReport', input)
  expect(run.report).toEqual(JSON.parse(report))
})

test.each([
  ['{"run_id":"crun_a","report":{"a": 1.0}}', '{"a": 1.0}'],
  ['{"run":{"run_id":"crun_a","report":{"a": 1.0}}}', '{"a": 1.0}'],
  ['{"item":{"run_id":"crun_a"},"report":{"a": 1.0}}', '{"a": 1.0}'],
  ['{"run_id":"crun_a","run":{"started_at":"x"},"report":[]}', '[]'],
  ['{"run_id":"crun_a","report":null}', undefined],
  ['{"run_id":"crun_a","report":"secret"}', undefined],
  ['{"run_id":"crun_a"}', undefined],
])('a report is cut out of %s', (answer, expected) => {
  const { run, report } = splitReport(Buffer.from(answer))
  expect(report && Buffer.from(report).toString()).toBe(expected)
  expect(run).toMatchObject({ run_id: 'crun_a' })
})

test('an answer that is no run is refused', async () => {
  const { url } = await openHostile((_, response) => void response.writeHead(200, json).end('{"report":{}}'))
  await expect(
    openClient({ url: `${url}/x` }).download('getReport', { params: { run_id: 'crun_a' } }),
  ).rejects.toMatchObject({ code: 'bad_answer' })
})
