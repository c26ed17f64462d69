import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { ReltError } from '../../src/errors.ts'
import { scan, scanAndSubmit } from '../../src/submit/scan-and-submit.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { makePrograms } from '../helpers/programs.ts'
import { exampleFile, readReportFile } from '../helpers/report.ts'
import { openService, type TestService } from '../operations/service.ts'
import { deployment, pod, writeCluster } from '../scan/cluster.ts'
import { openContext } from './context.ts'

const profile = { name: 'prod', cluster_name: 'shop', provider: 'eks', settings: { eks: { region: 'eu-1' } } } as const

/** A machine with a scanner and a cluster, and a caller that has no terminal. */
function openMachine(call: Client['call']) {
  const folder = temporaryFolder()
  const report = join(folder, 'scanned.json')
  const { metadata, checks } = readReportFile(exampleFile(1))
  writeFileSync(report, JSON.stringify({ metadata, checks }))
  writeCluster(join(folder, 'cluster'), {
    deployments: [deployment('web', ['nginx:1.27.3'])],
    pods: [pod('web-65cc8855c-a', ['nginx:1.27.3'], { deployment: 'web' })],
  })
  const fake = makePrograms(folder, ['kubebuddy'], { FAKE_REPORT: report, SCAN_TOKEN: 'a-secret-token' })
  const opened = openContext({ call })
  const context = { ...opened.context, env: { ...opened.context.env, ...fake.env } }
  return { ...opened, folder, context, signal: new AbortController().signal }
}

describe('a scan that is submitted', () => {
  let service: TestService
  let call: Client['call']
  beforeAll(async () => {
    service = await openService(':memory:', () => {})
    call = ((name: string, request: object) =>
      service.call(...([name, request] as unknown as Parameters<TestService['call']>))) as unknown as Client['call']
  })

  test('is one run with what runs in the cluster', async () => {
    const { context, signal, steps } = openMachine(call)
    const lines: string[] = []
    const { outcome, inventory } = await scanAndSubmit(context, {
      profile,
      environment: 'staging',
      signal,
      onOutput: (line) => void lines.push(line),
    })
    expect({ inventory, steps }).toEqual({
      inventory: 'cluster',
      steps: ['inventory', 'end', 'scan', 'end', 'store', 'end'],
    })
    const run = await service.call('getReport', { params: { run_id: outcome.uploaded!.run_id } })
    expect(run).toMatchObject({
      cluster_name: 'shop',
      environment: 'staging',
      provider: 'eks',
      region: 'eu-1',
      source: 'relt',
      started_at: '2026-09-01 12:00:00',
      finished_at: '2026-09-01 12:00:00',
      artifacts: { images: 1 },
    })
    expect(lines.join('\n')).not.toContain('a-secret-token')
  })

  test('is stored with a warning without a kubeconfig', async () => {
    const { context, signal, warnings } = openMachine(call)
    const env = { ...context.env, HOME: temporaryFolder() }
    const options = { profile, cluster: 'other', signal } as const
    const { outcome, inventory } = await scanAndSubmit({ ...context, env }, options)
    expect(outcome.uploaded).toBeDefined()
    expect(inventory).toBe('none')
    expect(warnings).toEqual([
      'Without an inventory: There is no kubeconfig, and this is no pod with a service account.',
    ])
  })

  test('waits in the spool with its inventory while the server is down', async () => {
    const { context, signal } = openMachine(() => Promise.reject(new ReltError('unreachable', 'Nobody there.')))
    const { outcome } = await scanAndSubmit(context, {
      profile,
      offlineOk: true,
      signal,
    })
    const { body } = context.spool.read(outcome.spooled!.spool_id)!
    expect(body).toMatchObject({
      artifacts: { images: [{ fullRef: 'nginx:1.27.3' }] },
      run: { started_at: expect.any(String) },
    })
  })

  test('ends when it is cancelled, and submits nothing', async () => {
    const { context } = openMachine(() => Promise.reject(new Error('no call is expected')))
    const options = { profile, inventory: false, signal: AbortSignal.abort() } as const
    await expect(scanAndSubmit(context, options)).rejects.toMatchObject({ code: 'cancelled' })
  })
})

test.each([
  ['cancelled', new ReltError('cancelled', 'Interrupted.')],
  ['an error of ours', new TypeError('not a function')],
])('a scan whose inventory ends with %s is not stored without one', async (_, error) => {
  const { context, signal, warnings } = openMachine(() => Promise.reject(new Error('no call is expected')))
  const onProgress: typeof context.onProgress = (step) => {
    if (step?.name === 'inventory') throw error
  }
  const options = { profile, envelope: {}, inventory: true, signal } as const
  await expect(scanAndSubmit({ ...context, onProgress }, options)).rejects.toBe(error)
  expect(warnings).toEqual([])
})

test('a scan alone needs neither client nor spool, and keeps its reports', async () => {
  const { context, folder, signal } = openMachine(() => Promise.reject(new Error('no call is expected')))
  const out = join(folder, 'kept')
  const { env, now, onProgress, onWarning } = context
  const { file, startedAt } = await scan({ env, now, onProgress, onWarning }, { profile, out, signal })
  expect(readdirSync(out).map((name) => join(out, name))).toEqual([file])
  expect(startedAt).toBe(now())
})
