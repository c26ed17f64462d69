import { beforeAll, expect, test } from 'vitest'
import trendsVerb from '../../../../src/cli/commands/reports/trends.ts'
import { runCli, temporaryFolder, testNow } from '../../../helpers/cli.ts'
import { folderOfFile, parse, printAll } from '../../../helpers/output.ts'
import { makeSmallStore, smallReport, uploadAll } from '../../../helpers/small-store.ts'

const home = folderOfFile()
beforeAll(() => makeSmallStore(home))

test.each([
  [[], {}],
  [['-c', 'prod-eu', '-e', 'dev'], { cluster: 'prod-eu', environment: 'dev' }],
  [['-d', '90'], { days: 90 }],
  [['--checks'], { checks: true }],
])('trends %j', async (argv, options) => {
  expect(await parse(trendsVerb, argv)).toEqual([options])
})

test('shows score, findings and failed checks', async () => {
  expect(await printAll(['reports', 'trends'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns, 120 columns, pipe
    shop-prod (prod), last 30 days: 3 runs from 2026-08-12 to 2026-08-31
    MEASURE        FIRST  LATEST  TREND
    Score             61      80  ▁▅█
    Findings           6       5  █▁▅
    Failed checks      4       5  ▅▁█
    === --json
    {"success":true,"window_days":30,"cluster_name":"shop-prod","environment":"prod","format":"kubebuddy","points":[{"run_id":"crun_****************","at":"2026-08-12 06:00:00","score":61,"failed_checks":4,"not_run_checks":0,"scope_gaps":0,"gaps_key":"","findings":6},{"run_id":"crun_****************","at":"2026-08-24 06:00:00","score":72.5,"failed_checks":3,"not_run_checks":0,"scope_gaps":0,"gaps_key":"","findings":4},{"run_id":"crun_****************","at":"2026-08-31 06:00:00","score":80,"failed_checks":5,"not_run_checks":0,"scope_gaps":0,"gaps_key":"","findings":5}],"other_environments":[]}
    "
  `)
})

test('shows how the findings of each changed check moved', async () => {
  expect(await printAll(['reports', 'trends', '--checks'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns, 120 columns, pipe
    shop-prod (prod), last 30 days: 3 runs from 2026-08-12 to 2026-08-31
    MEASURE              FIRST  LATEST  TREND
    Score                   61      80  ▁▅█
    Findings                 6       5  █▁▅
    Failed checks            4       5  ▅▁█
    NET002 Check NET002      1       1  █▁█
    SEC003 Check SEC003      2       1  ██▁
    SEC014 Check SEC014      0       1  ▁▁█
    WRK007 Check WRK007      2       1  █▁▁
    === --json
    {"success":true,"window_days":30,"cluster_name":"shop-prod","environment":"prod","format":"kubebuddy","points":[{"run_id":"crun_****************","at":"2026-08-12 06:00:00","score":61,"failed_checks":4,"not_run_checks":0,"scope_gaps":0,"gaps_key":"","findings":6,"aks_blockers":null},{"run_id":"crun_****************","at":"2026-08-24 06:00:00","score":72.5,"failed_checks":3,"not_run_checks":0,"scope_gaps":0,"gaps_key":"","findings":4,"aks_blockers":null},{"run_id":"crun_****************","at":"2026-08-31 06:00:00","score":80,"failed_checks":5,"not_run_checks":0,"scope_gaps":0,"gaps_key":"","findings":5,"aks_blockers":null}],"checks":[{"check_id":"NET002","check_name":"Check NET002","findings":[1,0,1]},{"check_id":"SEC003","check_name":"Check SEC003","findings":[2,2,1]},{"check_id":"SEC014","check_name":"Check SEC014","findings":[0,0,1]},{"check_id":"WRK007","check_name":"Check WRK007","findings":[2,1,1]}],"other_environments":[]}
    "
  `)
})

test('one run is no trend', async () => {
  const home = temporaryFolder()
  await uploadAll(home, [smallReport('2026-08-31T06:00:00Z', 80, { A: { severity: 'low', items: [{}] } })])
  expect(await printAll(['reports', 'trends'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns, 120 columns, pipe
    shop-prod (prod), last 30 days: 1 run on 2026-08-31
    Score 80, Findings 1, Failed checks 1
    One run is no trend. Look further back with --days, or upload another report.
    === --json
    {"success":true,"window_days":30,"cluster_name":"shop-prod","environment":"prod","format":"kubebuddy","points":[{"run_id":"crun_****************","at":"2026-08-31 06:00:00","score":80,"failed_checks":1,"not_run_checks":0,"scope_gaps":0,"gaps_key":"","findings":1}],"other_environments":[]}
    "
  `)
})

test('a locale without UTF-8 gets ASCII', async () => {
  const env = { NO_COLOR: '1', LC_ALL: 'C' }
  const { stdout } = await runCli(['reports', 'trends', '--checks'], { home, columns: 60, env })
  expect(stdout).toMatch(/^[\n -~]+$/)
})

test.each([
  ['of a cluster nobody knows', ['--cluster', 'other'], 0],
  ['in a window without runs', ['--days', '1'], 60 * 86_400],
])('says that there is no run %s', async (_, argv, later) => {
  const { code, stdout, stderr } = await runCli(['reports', 'trends', ...argv], { home, now: testNow + later })
  expect({ code, stdout }).toEqual({ code: argv[0] === '--days' ? 0 : 3, stdout: '' })
  expect(stderr).toMatch(argv[0] === '--days' ? /^No run in the last 1 day/ : /^error: No reports for cluster other/)
})
