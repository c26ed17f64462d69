import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import runVerb from '../../../../src/cli/commands/scan/run.ts'
import { createLocalClient } from '../../../../src/client/local.ts'
import { runCli, temporaryFolder, testNow } from '../../../helpers/cli.ts'
import { parse, withoutIds } from '../../../helpers/output.ts'
import { reltFile, start } from '../../../helpers/process.ts'
import { isRunning, makePrograms } from '../../../helpers/programs.ts'
import { exampleFile, readReportFile } from '../../../helpers/report.ts'
import { deployment, pod, writeCluster } from '../../../scan/cluster.ts'
import { openSpool } from '../../../spool/entries.ts'

test.each([
  ['', { inventory: true, upload: true }],
  ['--profile prod --compare', { inventory: true, profile: 'prod', compare: true, upload: true }],
  [
    '--runner docker --tag v1 --timeout 90s',
    { inventory: true, runner: 'docker', tag: 'v1', timeout: 90_000, upload: true },
  ],
  ['--out reports --no-upload', { inventory: true, out: 'reports', upload: false }],
  ['-c blue -e dev', { inventory: true, cluster: 'blue', environment: 'dev', upload: true }],
  ['--exclude-namespaces a,b', { inventory: true, excludeNamespaces: ['a', 'b'], upload: true }],
  ['--no-inventory', { inventory: false, upload: true }],
  ['--gate --fail-on new>=high', { inventory: true, gate: true, failOn: ['new>=high'], upload: true }],
])('scan run %s', async (argv, expected) => {
  expect(await parse(runVerb, argv.split(' ').filter(Boolean))).toEqual([expected])
})

test.each(['--runner ssh', '--timeout 0s', '--timeout 30', '--timeout 25h', 'x'])(
  'scan run %s is refused',
  async (argv) => {
    await expect(parse(runVerb, argv.split(' '))).rejects.toThrow(/Use a time|Allowed|too many/)
  },
)

/** A report without an inventory of its own. */
function prepare(env: Record<string, string> = {}) {
  const home = temporaryFolder()
  const report = join(home, 'scanned.json')
  const { metadata, checks } = readReportFile(exampleFile(1))
  writeFileSync(report, JSON.stringify({ metadata: { ...metadata, excludedNamespaces: ['kube-system'] }, checks }))
  writeCluster(join(home, 'cluster'), {
    deployments: [deployment('web', ['nginx:1.27.3'])],
    pods: [
      pod('web-65cc8855c-a', ['nginx:1.27.3'], { deployment: 'web' }),
      pod('dns', ['coredns:1.11.1'], { namespace: 'kube-system' }),
    ],
  })
  const fake = makePrograms(home, ['kubebuddy'], {
    FAKE_REPORT: report,
    SCAN_TOKEN: 'a-secret-token',
    ...env,
  })
  const relt = (argv: string, options: { columns?: number; now?: number } = {}) =>
    runCli(argv.split(' '), { home, env: fake.env, ...options })
  return { home, fake, relt, report }
}

async function toImages(relt: ReturnType<typeof prepare>['relt']): Promise<string[]> {
  const { stdout } = await relt('reports freshness --json')
  const items: { artifact_type: string; display_name: string; source: string }[] = JSON.parse(stdout).items
  return items
    .filter((item) => item.artifact_type === 'image' && item.source === 'artifacts')
    .map((item) => item.display_name)
}

describe('scan run', () => {
  test('stores the report with what runs in the cluster', async () => {
    const { relt } = prepare()
    const { code, stdout, stderr } = await relt('scan run')
    // Which of its two streams is heard first, nobody knows.
    expect({ code, stdout: withoutIds(stdout), stderr: stderr.split('\n').sort() }).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": [
          "",
          "  Scanning the cluster red",
          "  Signed in with ***",
          "Scanning with native",
          "warning: The inventory has no nodes, namespaces, customresourcedefinitions.apiextensions.k8s.io: The account is forbidden to list *.",
          "warning: The inventory has no replicasets.apps, statefulsets.apps, daemonsets.apps, cronjobs.batch, jobs.batch, replicationcontrollers: The account is forbidden to list *.",
          "✓ Scanned and stored",
        ],
        "stdout": "crun_****************
        Cluster    shop-prod (prod, v1.33.13)
        Scanned    2026-09-01 12:00:00
        Score      61
        Checks     56, 40 failed
        Findings   91: 23 critical, 62 medium, 6 info
        Artifacts  1 image
      ",
      }
    `)
    expect(await toImages(relt)).toEqual(['nginx:1.27.3'])
  })

  test('--json gives the run, where its inventory is from, and nothing else on standard output', async () => {
    const { relt } = prepare()
    const { stdout } = await relt('scan run --json')
    expect(JSON.parse(stdout)).toMatchObject({
      success: true,
      inventory: 'cluster',
      file: null,
      run: { cluster_name: 'shop-prod', started_at: '2026-09-01 12:00:00', source: 'relt' },
    })
  })

  test('--no-inventory asks no cluster', async () => {
    const { relt } = prepare()
    const { stderr } = await relt('scan run --no-inventory')
    expect(stderr).not.toContain('warning')
    expect(await toImages(relt)).toEqual([])
  })

  test('a saved inventory is a run where it is uploaded', async () => {
    const { relt, home } = prepare()
    const file = join(home, 'inventory.json')
    expect(await relt(`scan inventory --exclude-namespaces kube-system --out ${file}`)).toMatchObject({ code: 0 })
    expect(await relt(`reports upload ${file} --cluster carried`)).toMatchObject({ code: 0 })
    expect(await toImages(relt)).toEqual(['nginx:1.27.3'])
    const [run] = JSON.parse((await relt('reports list --json')).stdout).items
    const { subjects } = JSON.parse((await relt(`reports show ${run.run_id} --json`)).stdout)
    expect(subjects[0]).toMatchObject({
      parts: expect.arrayContaining([
        { name: 'pods', state: 'read' },
        expect.objectContaining({ name: 'nodes', state: 'forbidden' }),
      ]),
      places: { left_out: ['kube-system'] },
    })
  })

  test('without a kubeconfig the run is stored with a warning', async () => {
    const { relt, fake } = prepare()
    fake.env.HOME = temporaryFolder()
    const { code, stderr } = await relt('scan run')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('Without an inventory: There is no kubeconfig'),
    })
    fake.env.PATH = temporaryFolder()
    expect(await relt('scan run')).toMatchObject({ code: 2, stderr: expect.stringContaining('No scanner') })
  })

  test('without a scanner what runs is stored, and answers without checks', async () => {
    const { relt, fake } = prepare()
    fake.env.PATH = temporaryFolder()
    const { code, stderr } = await relt('scan run')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('Stored what runs, without checks: No scanner is installed.'),
    })
    expect(await toImages(relt)).toContain('nginx:1.27.3')
    const [run] = JSON.parse((await relt('reports list --json')).stdout).items
    expect(run).toMatchObject({ cluster_name: 'main', format: 'inventory', score: null, findings: { total: 0 } })
    expect((await relt('gate check --fail-on findings>=high')).code).toBe(6)
    expect((await relt('gate check --fail-on major-behind')).code).toBe(6)
  })

  test('--no-upload keeps the report and stores nothing', async () => {
    const { relt, home } = prepare()
    const folder = join(home, 'kept')
    const { stdout } = await relt(`scan run --no-upload --out ${folder} --json`)
    expect(JSON.parse(stdout)).toEqual({ file: join(folder, 'kubebuddy-report-20260901-120000.json') })
    expect(readdirSync(folder)).toEqual(['kubebuddy-report-20260901-120000.json'])
    expect((await relt('reports list')).stdout).toBe('')
    expect(await relt('scan run --no-upload')).toMatchObject({ code: 2, stderr: expect.stringContaining('--out') })
  })

  test('--compare shows what a second scan changed', async () => {
    const { relt, report } = prepare()
    await relt('scan run', { now: testNow })
    const { metadata, checks } = readReportFile(exampleFile(2))
    writeFileSync(report, JSON.stringify({ metadata, checks }))
    const { stdout } = await relt('scan run --compare', { now: testNow + 3600 })
    const compared = await relt('reports compare')
    expect(stdout.endsWith(compared.stdout)).toBe(true)
    expect(compared.stdout).toMatch(/new/)
  })

  test('a profile says what is scanned, and of which cluster the run is', async () => {
    const { relt, fake, home } = prepare()
    const client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => testNow })
    const { config_id } = await client.call('createConfig', {
      body: {
        name: 'prod',
        cluster_name: 'blue',
        provider: 'eks',
        settings: {
          excluded_checks: ['SEC014'],
          excluded_namespaces: ['kube-system'],
          eks: { region: 'eu-west-1' },
          radar: { upload: true, api_base_url: 'https://radar.example/v1', environment: 'dev' },
        },
      },
    })
    await client.close()
    for (const name of ['prod', config_id]) {
      const { stdout, stderr } = await relt(`scan run --profile ${name} --json`)
      expect(stderr).toContain('warning: The scanner still scans excluded_namespaces')
      expect(JSON.parse(stdout).run).toMatchObject({
        cluster_name: 'blue',
        environment: 'dev',
        provider: 'eks',
        region: 'eu-west-1',
      })
    }
    expect(fake.calls()[0]!.args).toEqual(
      expect.arrayContaining(['--excluded-checks=SEC014', '--cluster-name=blue', '--yes']),
    )
    expect(JSON.stringify(fake.calls())).not.toMatch(/radar/i)
    expect(await relt('scan run --profile other')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('relt profiles list'),
    })
  })

  test('--offline-ok keeps the report and what runs there when the server is down, and judges what it can', async () => {
    const server = { RELT_SERVER: 'http://127.0.0.1:1/api', RELT_USERNAME: 'ada', RELT_PASSWORD: 'secret' }
    const { home, relt } = prepare(server)
    const { code, stdout } = await relt('scan run --offline-ok --json --fail-on score<1 --fail-on new>=high')
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 6,
      spooled: true,
      inventory: 'cluster',
      gate: { rules: [{ verdict: 'passed' }, { verdict: 'undecided' }] },
    })
    const { spool } = openSpool({ home })
    expect(spool.read(JSON.parse(stdout).spool_id)!.body).toMatchObject({
      artifacts: { images: [{ fullRef: 'nginx:1.27.3' }] },
    })
    expect((await relt('scan run')).code).toBe(7)
  })

  test('a scan that fails says why, and what runs is stored', async () => {
    const { relt } = prepare({ FAKE_SCAN: 'fail' })
    const { code, stdout, stderr } = await relt('scan run')
    expect({ code, stdout, stderr: withoutIds(stderr).split('\n').sort().slice(1) }).toMatchInlineSnapshot(`
      {
        "code": 1,
        "stderr": [
          "  Error: the cluster cannot be reached",
          "  Scanning the cluster red",
          "  Signed in with ***",
          "  | Error: the cluster cannot be reached",
          "  | Scanning the cluster red",
          "  | Signed in with ***",
          "Scanning with native",
          "error: The scanner ended with exit code 3.",
          "hint: What runs is stored as crun_****************, without checks. Check its last lines, and whether the cluster is reachable.",
          "warning: The inventory has no nodes, namespaces, customresourcedefinitions.apiextensions.k8s.io: The account is forbidden to list *.",
          "warning: The inventory has no replicasets.apps, statefulsets.apps, daemonsets.apps, cronjobs.batch, jobs.batch, replicationcontrollers: The account is forbidden to list *.",
        ],
        "stdout": "",
      }
    `)
    const { stderr: json } = await relt('scan run --json --quiet')
    const { error } = JSON.parse(json)
    expect(error).toMatchObject({ code: 'relt_scan_failed', output: expect.arrayContaining(['Signed in with ***']) })
    expect(await toImages(relt)).toEqual(['nginx:1.27.3', 'coredns:1.11.1'])
  })

  test('on a terminal the scanner prints below a line of progress, which is gone at the end', async () => {
    const { relt } = prepare({ FAKE_SCAN: 'fail' })
    const { stderr } = await relt('scan run', { columns: 80 })
    expect(stderr).toContain('Scanning with native, 0 s')
    expect(stderr.split('\u001b[J').at(-1)).toMatch(/error:.*The scanner ended with exit code 3/)
  })

  test('long output is shown up to a bound', async () => {
    const { relt } = prepare({ FAKE_SCAN: 'loud' })
    const { code, stderr } = await relt('scan run')
    expect(code).toBe(1)
    expect(stderr.split('\n').length).toBeLessThan(550)
    expect(stderr).toContain('further output is not shown')
  })

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s ends the scanner and what it started, and removes what is temporary',
    async (signal) => {
      const { home, fake } = prepare({ FAKE_SCAN: 'stubborn' })
      const { child, finished } = start(reltFile, ['scan', 'run'], { ...fake.env, RELT_HOME: home })
      child.stderr!.on('data', (text: string) => {
        if (text.includes('ready')) child.kill(signal)
      })
      const { code, stdout, stderr } = await finished
      expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
      expect(stderr).toContain('The scan was cancelled')
      expect(fake.pids().length).toBe(2)
      expect(fake.pids().filter(isRunning)).toEqual([])
      expect(readdirSync(fake.temporary)).toEqual([])
    },
  )
})
