import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../../src/db/open.ts'
import { runCli, temporaryFolder, testNow } from '../../../helpers/cli.ts'
import { folderOfFile, printAll } from '../../../helpers/output.ts'
import { exampleFile } from '../../../helpers/report.ts'
import { makeSmallStore } from '../../../helpers/small-store.ts'
import { scan } from '../../../reports/scan.ts'

const home = folderOfFile()
beforeAll(async () => {
  await makeSmallStore(home)
})

const run = (argv: string[] = [], options: object = {}) => runCli(['status', ...argv], { home, ...options })

test('shows which clusters need attention, and why', async () => {
  expect(await printAll(['status', '--since', '2d'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    1 of 1 cluster needs attention
    1 with new critical findings.
    New since Sun 12:00: 2 critical of 3 findings.
    Standing: 3 critical in 1 cluster, not accepted, the oldest for 20 d; 1 out of
    support.
    CLUSTER    SCORE  CHANGE  WHY                             SCANNED
    shop-prod     80    +7.5  2 critical new or regressed +4  1 day ago
    === 120 columns
    1 of 1 cluster needs attention
    1 with new critical findings.
    New since Sun 12:00: 2 critical of 3 findings.
    Standing: 3 critical in 1 cluster, not accepted, the oldest for 20 d; 1 out of support.
    CLUSTER    SCORE  CHANGE  WHY                             SCANNED
    shop-prod     80    +7.5  2 critical new or regressed +4  1 day ago
    === pipe
    1 of 1 cluster needs attention
    1 with new critical findings.
    New since Sun 12:00: 2 critical of 3 findings.
    Standing: 3 critical in 1 cluster, not accepted, the oldest for 20 d; 1 out of support.
    CLUSTER    SCORE  CHANGE  WHY                             SCANNED
    shop-prod     80    +7.5  2 critical new or regressed +4  2026-08-31 06:00:00
    === --json
    {"success":true,"summary":{"clusters":1,"attention":{"new_critical":1,"support_ended":1,"new_findings":1,"support_ending":1,"major_behind":1},"needs_attention":1,"now":{"clusters":1,"known":0,"attention":{"new_critical":1}},"news":{"since":"2026-08-30 12:00:00","time_zone":"UTC","findings":3,"critical":2},"standing":{"clusters":1,"oldest_critical":"2026-08-12 06:00:00","critical":3,"affected_critical":0,"ended":1},"pending":0,"never_reported":[]},"clusters":[{"cluster_id":"clus_****************","cluster_name":"shop-prod","environment":"prod","labels":[],"provider":null,"region":null,"kubernetes_version":"v1.34.2","expected_every":null,"expected_reports":null,"last_scan":"2026-08-31 06:00:00","overdue":null,"latest_run":{"run_id":"crun_****************","format":"kubebuddy","score":80,"score_delta":7.5,"findings":{"total":5,"critical":3,"high":0,"medium":2,"low":0,"info":0,"unknown":0},"total_checks":5,"failed_checks":5,"not_run_checks":0,"scope_gaps":0,"is_empty":false},"scores":[61,72.5,80],"changes":{"new_findings":1,"new_critical":1,"new_high":0,"regressed_findings":2,"regressed_critical":1,"regressed_high":0,"resolved_findings":1},"gate":null,"attention":["new_critical","support_ended","new_findings","support_ending","major_behind"],"scanners":[{"format":"kubebuddy","last_scan":"2026-08-31 06:00:00","overdue":null,"latest_run":{"run_id":"crun_****************","format":"kubebuddy","score":80,"score_delta":7.5,"findings":{"total":5,"critical":3,"high":0,"medium":2,"low":0,"info":0,"unknown":0},"total_checks":5,"failed_checks":5,"not_run_checks":0,"scope_gaps":0,"is_empty":false},"scores":[61,72.5,80],"changes":{"new_findings":1,"new_critical":1,"new_high":0,"regressed_findings":2,"regressed_critical":1,"regressed_high":0,"resolved_findings":1},"gate":null,"attention":["new_critical","new_findings"]}],"freshness":{"run_id":"crun_****************","artifacts":4,"known":3,"minor_behind":1,"major_behind":2,"affected":0,"affected_critical":0,"affected_high":0,"compromised":0,"exploited":0,"retired":0,"ended":1,"ending":1,"is_current":true,"catalog_date":"2099-01-01"},"has_figures":true,"attention_now":["new_critical"],"news":{"since":"2026-08-30 12:00:00","time_zone":"UTC","findings":3,"critical":2},"standing":{"clusters":1,"oldest_critical":"2026-08-12 06:00:00","critical":3,"affected_critical":0,"ended":1}}],"sources":{"total":0,"failing":0,"items":[]},"exceptions":{"total":0,"items":[],"ended":[]},"policy":null,"spool":{"uploads":0,"oldest":null,"refused":0,"unreadable":0}}
    "
  `)
})

test('says where to begin without a cluster', async () => {
  const { code, stdout } = await runCli(['status'], { home: temporaryFolder() })
  expect(code).toBe(0)
  expect(stdout).toBe('No clusters yet. Upload a report: relt reports upload FILE\n')
})

test('a first scan needs nobody, as far as is known', async () => {
  const folder = temporaryFolder()
  const report = scan([{ severity: 'info' }], { generatedAt: '2026-08-31T00:00:00Z' })
  report.metadata.kubernetesVersion = 'v1.36.4'
  await runCli(['reports', 'upload', '-'], { home: folder, stdin: JSON.stringify(report) })
  const { code, stdout } = await runCli(['status'], { home: folder })
  expect(code).toBe(0)
  expect(stdout).toContain('None of 1 cluster is known to need attention\n')
})

test('shows overdue clusters', async () => {
  await runCli(['clusters', 'set', 'shop-prod', '--every', '20h'], { home })
  const { stdout } = await run(['--json'])
  await runCli(['clusters', 'set', 'shop-prod', '--no-every'], { home })
  const { clusters, summary } = JSON.parse(stdout)
  expect(clusters[0]).toMatchObject({ overdue: true, expected_every: 72_000, last_scan: '2026-08-31 06:00:00' })
  expect(summary.attention.overdue).toBe(1)
})

test('says for how long an overdue cluster is silent, and which clusters never reported', async () => {
  const folder = temporaryFolder()
  await makeSmallStore(folder)
  await runCli(['clusters', 'set', 'shop-prod', '--every', '20h'], { home: folder })
  const jobs = [{ name: 'nightly', cluster_name: 'prod-us', expected_every: 3600 }]
  const body = JSON.stringify({ agent_id: 'a', host: 'h', version: '1.0.0', uploads_waiting: 0, jobs })
  expect((await runCli(['api', 'POST', '/agents/heartbeat', '--input', '-'], { home: folder, stdin: body })).code).toBe(
    0,
  )
  const later = { home: folder, now: testNow + 2 * 3600, columns: 160 }
  const text = async (...argv: string[]) => {
    const { stdout, stderr } = await runCli(argv, later)
    return stdout + stderr
  }
  const status = await text('status')
  expect(await text('status', 'shop-prod')).toContain('no report for 32 h, expected every 20 h')
  const never = 'No report ever came of prod-us/prod, expected every 1 h since 2026-09-01 12:00:00.'
  expect(status).toContain(never)
})

test('shows sources that fail', async () => {
  const { join } = await import('node:path')
  const db = await openDatabase(join(home, 'relt.db'))
  const source = { url: 'https://git.internal.example/argo', looked_at: testNow, answered_at: testNow - 86_400 }
  await db
    .insertInto('source')
    .values([
      { project_id: 1, kind: 'github', outcome: 'unreachable', ...source },
      { project_id: 2, kind: 'github', outcome: 'changed', ...source },
    ])
    .execute()
  await db.destroy()
  const { stdout } = await run()
  expect(stdout).toContain(
    '1 of 2 sources of the catalog does not answer, so newer releases may be unknown. Argo CD (github, since 2026-08-31).',
  )
  expect(stdout).not.toContain('git.internal.example')
})

test('old facts about what runs are named until their sources answer', async () => {
  const folder = temporaryFolder()
  await runCli(['reports', 'upload', exampleFile(3)], { home: folder })
  const later = testNow + 200 * 86_400
  const status = async () => (await runCli(['status'], { home: folder, now: later })).stdout
  const db = await openDatabase(join(folder, 'relt.db'))
  onTestFinished(() => db.destroy())
  const answer = async (ids: number[]) => {
    const source = { url: 'https://git.example/a', looked_at: later, answered_at: later }
    const rows = ids.flatMap((project_id) =>
      (['github', 'helm'] as const).map((kind) => ({ project_id, kind, outcome: 'unchanged' as const, ...source })),
    )
    await db.insertInto('source').values(rows).execute()
  }
  const old = /Facts of \d{4}-\d\d-\d\d \(\d+ days\): relt catalog sync\./
  expect(await status()).toMatch(old)
  const projects = await db.selectFrom('project').select(['id', 'slug']).execute()
  const isElsewhere = ({ slug }: { slug: string }) => slug === 'aad-pod-identity'
  await answer(projects.filter(isElsewhere).map(({ id }) => id))
  expect(await status()).toMatch(old)
  await answer(projects.filter((each) => !isElsewhere(each)).map(({ id }) => id))
  expect(await status()).not.toMatch(old)
})

test('shows exceptions that expire within 14 days', async () => {
  const add = (until: string) =>
    runCli(['exceptions', 'add', '--check', 'SEC003', '--all-clusters', '--reason', 'Moves soon', '--until', until], {
      home,
    })
  expect(await add('2026-09-10')).toMatchObject({ code: 0 })
  expect(await add('2026-12-31')).toMatchObject({ code: 0 })
  const { stdout } = await run()
  expect(stdout).toContain('1 exception of the gate within 14 days of the end, the first on 2026-09-10 (Moves soon).')
})

test('shows exceptions of the policy file of this folder, and a file that cannot be used', async () => {
  const folder = temporaryFolder()
  const exception = (expires: string) => `    - {check: SEC003, reason: Moves soon, expires: ${expires}}\n`
  const all = ['2026-09-15', '2026-09-16', '2026-08-01'].map(exception).join('')
  writeFileSync(join(folder, 'relt.yaml'), `gate:\n  fail_on: [score<1]\n  exceptions:\n${all}`)
  const here = process.cwd()
  onTestFinished(() => process.chdir(here))
  process.chdir(folder)
  expect((await run()).stdout).toContain(
    '2 exceptions of relt.yaml expired or within 14 days of the end, the first on 2026-08-01 (relt.yaml:6: Moves soon).',
  )
  expect(JSON.parse((await run(['--json'])).stdout).policy.items).toHaveLength(2)
  writeFileSync(join(folder, 'relt.yaml'), 'gate: {fail_on: [nonsense]}')
  const broken = await run()
  expect(broken).toMatchObject({ code: 0, stdout: expect.stringContaining('relt.yaml cannot be used as a policy.') })
})

test('shows uploads that wait on this machine', async () => {
  const env = { RELT_SERVER: 'http://127.0.0.1:9', RELT_USERNAME: 'ada', RELT_PASSWORD: 'x' }
  const stdin = JSON.stringify({ metadata: { clusterName: 'c' }, checks: {} })
  await runCli(['reports', 'upload', '-', '--offline-ok', '--as-is'], { home, stdin, env, now: testNow - 7200 })
  const { stdout } = await run()
  expect(stdout).toContain('1 upload is waiting (queued 2 hours ago). Send: relt spool send')
})

test.each([{ RELT_MASTER_KEY: '7'.repeat(64) }, {}])(
  'fails with a wrong key and without one, as findings do (%j)',
  async (env) => {
    const folder = temporaryFolder()
    for (const argv of [[], ['--json']]) {
      // Neither clusters with figures nor clusters without may look like nothing to do.
      await runCli(['reports', 'upload', exampleFile(1)], { home: folder })
      if (argv.length > 0) await runCli(['status'], { home: folder })
      const key = readFileSync(join(folder, 'master.key'))
      if (!('RELT_MASTER_KEY' in env)) rmSync(join(folder, 'master.key'))
      for (const command of [['status'], ['status', 'shop-prod'], ['findings', 'list']]) {
        const { code, stdout, stderr } = await runCli([...command, ...argv], { home: folder, env })
        expect([command, code, stdout]).toEqual([command, 1, ''])
        expect(stderr).toMatch(/is not the key that sealed this store|master key of this store is missing/)
      }
      writeFileSync(join(folder, 'master.key'), key, { mode: 0o600 })
    }
  },
)
