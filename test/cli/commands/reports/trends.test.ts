import { beforeAll, expect, test } from 'vitest'
import { createCommand } from '../../../../src/cli/commands/reports/trends.ts'
import { runCli, temporaryFolder, testNow } from '../../../helpers/cli.ts'
import { folderOfFile, parse, printAll, withoutColors } from '../../../helpers/output.ts'
import { makeSmallStore, smallReport, uploadAll } from '../../../helpers/small-store.ts'

const home = folderOfFile()
beforeAll(() => makeSmallStore(home))

test.each([
  [[], {}],
  [['-c', 'prod-eu', '-e', 'dev'], { cluster: 'prod-eu', environment: 'dev' }],
  [['-d', '90'], { days: 90 }],
  [['--days', '90', '--by-cluster'], { days: 90, byCluster: true }],
])('trends %j', async (argv, options) => {
  expect(await parse(createCommand, argv)).toEqual([options])
})

test('plots score, findings and failed checks', async () => {
  expect(await printAll(['reports', 'trends'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    shop-prod (prod), last 30 days: 3 runs

    Score 61 → 80
      80 ┤                                                                    ╭───●
    77.3 ┤                                                          ╭─────────╯
    74.6 ┤                                                ╭─────────╯
    71.9 ┤                                      ╭──────●──╯
    69.1 ┤                           ╭──────────╯
    66.4 ┤                ╭──────────╯
    63.7 ┤      ╭─────────╯
      61 ┤●─────╯
         └─────────────────────────────────────────────────────────────────────────
          2026-08-12                                                     2026-08-31

    Findings 6 → 5
    6 ┤●───────────╮
    5 ┤            ╰───────────────────────╮                        ╭─────────────●
    4 ┤                                    ╰──────────●─────────────╯
      └────────────────────────────────────────────────────────────────────────────
       2026-08-12                                                        2026-08-31

    Failed checks 4 → 5
    5 ┤                                                                    ╭──────●
    4 ┤●───────────────────────╮                             ╭─────────────╯
    3 ┤                        ╰──────────────────────●──────╯
      └────────────────────────────────────────────────────────────────────────────
       2026-08-12                                                        2026-08-31
    === 120 columns, pipe
    shop-prod (prod), last 30 days: 3 runs

    Score 61 → 80
      80 ┤                                                                                                ╭─────●
    77.3 ┤                                                                                  ╭─────────────╯
    74.6 ┤                                                                    ╭─────────────╯
    71.9 ┤                                                     ╭──────────●───╯
    69.1 ┤                                      ╭──────────────╯
    66.4 ┤                       ╭──────────────╯
    63.7 ┤        ╭──────────────╯
      61 ┤●───────╯
         └───────────────────────────────────────────────────────────────────────────────────────────────────────
          2026-08-12                                                                                   2026-08-31

    Findings 6 → 5
    6 ┤●────────────────╮
    5 ┤                 ╰────────────────────────────────╮                                   ╭──────────────────●
    4 ┤                                                  ╰───────────────●───────────────────╯
      └──────────────────────────────────────────────────────────────────────────────────────────────────────────
       2026-08-12                                                                                      2026-08-31

    Failed checks 4 → 5
    5 ┤                                                                                                ╭────────●
    4 ┤●─────────────────────────────────╮                                         ╭───────────────────╯
    3 ┤                                  ╰───────────────────────────────●─────────╯
      └──────────────────────────────────────────────────────────────────────────────────────────────────────────
       2026-08-12                                                                                      2026-08-31
    === --json
    {"success":true,"window_days":30,"cluster_name":"shop-prod","environment":"prod","points":[{"run_id":"crun_****************","at":"2026-08-12 06:00:00","score":61,"failed_checks":4,"not_run_checks":0,"findings":6},{"run_id":"crun_****************","at":"2026-08-24 06:00:00","score":72.5,"failed_checks":3,"not_run_checks":0,"findings":4},{"run_id":"crun_****************","at":"2026-08-31 06:00:00","score":80,"failed_checks":5,"not_run_checks":0,"findings":5}],"other_environments":[]}
    "
  `)
})

test('--by-cluster plots each cluster', async () => {
  const home = temporaryFolder()
  const other = smallReport('2026-08-30T06:00:00Z', 50, { A: { severity: 'low', items: [] } })
  other.metadata.clusterName = 'other'
  await uploadAll(home, [other, smallReport('2026-08-31T06:00:00Z', 80, { A: { severity: 'low', items: [{}] } })])
  const { stdout } = await runCli(['reports', 'trends', '--by-cluster'], { home, columns: 60 })
  const titles = withoutColors(stdout)
    .split('\n')
    .filter((line) => /^[A-Za-z]/.test(line.trimStart()))
  expect(titles).toMatchInlineSnapshot(`
    [
      "other (prod), last 30 days: 1 run",
      "Score 50",
      "Findings 0",
      "Failed checks 0",
      "shop-prod (prod), last 30 days: 1 run",
      "Score 80",
      "Findings 1",
      "Failed checks 1",
    ]
  `)
})

test('a plot of counts has no labels below zero', async () => {
  const home = temporaryFolder()
  await uploadAll(home, [smallReport('2026-08-31T06:00:00Z', 100, { A: { severity: 'low', items: [] } })])
  const { stdout } = await runCli(['reports', 'trends'], { home, columns: 80, env: { NO_COLOR: '1' } })
  expect(stdout).not.toMatch(/^ *-[\d.]+ ┤/m)
})

test.each([
  ['of a cluster nobody knows', ['--cluster', 'other'], 0],
  ['in a window without runs', ['--days', '1'], 60 * 86_400],
])('says that there is no run %s', async (_, argv, later) => {
  const { code, stdout, stderr } = await runCli(['reports', 'trends', ...argv], { home, now: testNow + later })
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(stderr).toMatch(argv[0] === '--days' ? /^No run in the last 1 day/ : /^No reports for cluster other/)
})
