import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import uploadVerb from '../../../../src/cli/commands/reports/upload.ts'
import type { Client } from '../../../../src/client/client.ts'
import { ReltError } from '../../../../src/errors.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { folderOfFile, parse, printAll, withoutIds } from '../../../helpers/output.ts'
import { makeSmallStore, smallReports } from '../../../helpers/small-store.ts'
import { fixture } from '../../../reports/formats/fixture.ts'

test.each([
  ['r.json', [['r.json'], {}]],
  ['-', [['-'], {}]],
  ['-c prod-eu -e staging r.json', [['r.json'], { cluster: 'prod-eu', environment: 'staging' }]],
  ['r.json --cluster prod-eu --environment staging', [['r.json'], { cluster: 'prod-eu', environment: 'staging' }]],
  ['r.json --provider aks --region uksouth', [['r.json'], { provider: 'aks', region: 'uksouth' }]],
  [
    'r.json --started-at 2026-06-01T10:00:00Z --finished-at 2026-06-01T10:01:00Z',
    [['r.json'], { startedAt: '2026-06-01T10:00:00Z', finishedAt: '2026-06-01T10:01:00Z' }],
  ],
  ['r.json --compare', [['r.json'], { compare: true }]],
  ['r.json --format kube-bench', [['r.json'], { format: 'kube-bench' }]],
])('upload %s', async (argv, expected) => {
  expect(await parse(uploadVerb, argv.split(' '))).toEqual(expected)
})

test.each([[[]], [['a', '--cluster']], [['a', '--format', 'grype']]])('upload %j is refused', async (argv) => {
  await expect(parse(uploadVerb, argv)).rejects.toThrow(/missing|too many|Allowed choices/)
})

describe('a report that is there already', () => {
  const home = folderOfFile()
  const file = join(home, 'report.json')

  beforeAll(async () => {
    await makeSmallStore(home)
    writeFileSync(file, JSON.stringify(smallReports[2]))
  })

  test('answers with its run', async () => {
    expect(await printAll(['reports', 'upload', file], home)).toMatchInlineSnapshot(`
      "
      === 80 columns, 120 columns, pipe
      crun_****************
        Cluster    shop-prod (prod, v1.34.2)
        Scanned    2026-08-31 06:00:00
        Score      80
        Checks     5, 5 failed
        Findings   5: 3 critical, 2 medium
        Artifacts  3 images, 1 Helm chart
      --- stderr
      ✓ Already stored
      === --json
      {"success":true,"run_id":"crun_****************","ingested_at":"2026-09-01 12:00:00","processing_status":"ready","not_run_checks":0,"duplicate":true}
      "
    `)
  })

  test('--compare adds what it changed', async () => {
    const compared = await runCli(['reports', 'compare'], { home, columns: 80 })
    const { stdout } = await runCli(['reports', 'upload', file, '--compare'], { home, columns: 80 })
    expect(stdout.endsWith(`\n\n${compared.stdout}`)).toBe(true)
  })

  test('--compare --json carries the comparison', async () => {
    const compared = await runCli(['reports', 'compare', '--environment', 'prod', '--json'], { home })
    const { stdout } = await runCli(['reports', 'upload', file, '--compare', '--json'], { home })
    expect(JSON.parse(stdout)).toMatchObject({ duplicate: true, comparison: JSON.parse(compared.stdout) })
  })
})

test.each([
  [
    '--compare --gate --fail-on new>=high',
    ['uploadReport', 'listExceptions', 'getReport', 'listGateBaselines', 'compareReports', 'recordGate', 'listReports'],
  ],
  [
    '--compare --gate --fail-on new>=high --json',
    ['uploadReport', 'listExceptions', 'getReport', 'listGateBaselines', 'compareReports', 'recordGate', 'listReports'],
  ],
  ['--compare', ['uploadReport', 'compareReports', 'getReport']],
  ['--compare --json', ['uploadReport', 'compareReports']],
  ['', ['uploadReport', 'getReport']],
  ['--json', ['uploadReport']],
])('upload %s asks for each thing once', async (argv, expected) => {
  const home = temporaryFolder()
  const calls: string[] = []
  const between = (client: Client): Client => ({
    ...client,
    call: (name, input) => {
      calls.push(name)
      return client.call(name, input)
    },
  })
  const stdin = JSON.stringify(smallReports[0])
  await runCli(['reports', 'upload', '-', ...argv.split(' ').filter(Boolean)], { home, stdin, between })
  expect(calls).toEqual(expected)
})

test('a report that was stored is said to be, whatever fails afterwards', async () => {
  const between = (client: Client): Client => ({
    ...client,
    call: (name, input) => {
      if (name === 'getReport') throw new ReltError('internal', 'The server failed.')
      return client.call(name, input)
    },
  })
  const options = { home: temporaryFolder(), stdin: JSON.stringify(smallReports[0]), between }
  const { code, stderr } = await runCli(['reports', 'upload', '-'], options)
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^✓ Stored\nerror: The report is stored as crun_\w+, but its review failed\. The server failed\.\n$/,
  )
})

test('the first report of a cluster has nothing to be compared with', async () => {
  const home = temporaryFolder()
  const stdin = JSON.stringify(smallReports[0])
  const { code, stdout, stderr } = await runCli(['reports', 'upload', '-', '--compare'], {
    home,
    stdin,
    columns: 80,
    env: { NO_COLOR: '1' },
  })
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: '✓ Stored\nThe cluster has no earlier run to compare with.\n',
  })
  expect(withoutIds(stdout)).toMatchInlineSnapshot(`
    "crun_****************
      Cluster    shop-prod (prod, v1.34.2)
      Scanned    2026-08-12 06:00:00
      Score      61
      Checks     5, 4 failed
      Findings   6: 3 critical, 2 medium, 1 info
      Artifacts  3 images, 1 Helm chart
    "
  `)
})

test('--json tells that there was nothing to compare with', async () => {
  const home = temporaryFolder()
  const stdin = JSON.stringify(smallReports[0])
  const { stdout } = await runCli(['reports', 'upload', '-', '--compare', '--json'], { home, stdin })
  expect(withoutIds(stdout)).toMatchInlineSnapshot(`
    "{"success":true,"run_id":"crun_****************","ingested_at":"2026-09-01 12:00:00","processing_status":"ready","not_run_checks":0,"comparison":null}
    "
  `)
})

test('options win over what the file says', async () => {
  const home = temporaryFolder()
  const cluster = { name: 'from-file', provider: 'eks', region: 'eu-1' }
  const stdin = JSON.stringify({ environment: 'dev', cluster, report: smallReports[0] })
  const options = ['--cluster', 'from-option', '--region', 'eu-2', '--finished-at', '2026-08-01 10:00:00']
  const started = ['--started-at', '2026-08-01T09:59:00Z']
  await runCli(['reports', 'upload', '-', ...options, ...started], { home, stdin })
  const { stdout } = await runCli(['reports', 'show', '--json'], { home })
  expect(JSON.parse(stdout)).toMatchObject({
    cluster_name: 'from-option',
    environment: 'dev',
    provider: 'eks',
    region: 'eu-2',
    started_at: '2026-08-01 09:59:00',
    finished_at: '2026-08-01 10:00:00',
    duration_seconds: 60,
  })
})

test('the report from another scanner is taken, in a body or alone, and says so', async () => {
  const home = temporaryFolder()
  const stdin = fixture('trivy-k8s-summary')
  const env = { NO_COLOR: '1' }
  const { code, stdout, stderr } = await runCli(['reports', 'upload', '-'], { home, stdin, columns: 80, env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '✓ Stored\n' })
  expect(withoutIds(stdout)).toMatchInlineSnapshot(`
    "crun_****************
      Cluster    shop-prod (prod)
      Scanned    2026-09-01 12:00:00 by trivy
      Score      88.89 (computed: trivy has none)
      Checks     3, 3 failed
      Findings   4: 2 high, 1 medium, 1 low
      Artifacts  1 image
    "
  `)
  const named = ['reports', 'upload', '-', '--format', 'trivy', '--json']
  const again = await runCli(named, { home, stdin: `{"source":"ci","report":${stdin}}` })
  // It tells no time of its scan, so it is another scan.
  expect(JSON.parse(again.stdout)).not.toHaveProperty('duplicate')
})

test('a bare list of controls is a report too', async () => {
  const stdin = JSON.stringify(JSON.parse(fixture('kube-bench')).Controls)
  const argv = ['reports', 'upload', '-', '--cluster', 'shop-prod', '--json']
  expect(await runCli(argv, { home: temporaryFolder(), stdin })).toMatchObject({ code: 0, stderr: '' })
})
