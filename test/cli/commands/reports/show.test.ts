import { beforeAll, expect, test } from 'vitest'
import showVerb from '../../../../src/cli/commands/reports/show.ts'
import { runCli } from '../../../helpers/cli.ts'
import { folderOfFile, parse, printAll } from '../../../helpers/output.ts'
import { makeSmallStore, smallReports } from '../../../helpers/small-store.ts'

const home = folderOfFile()
let ids: string[]
beforeAll(async () => {
  ids = await makeSmallStore(home)
})

test.each([
  [[], [undefined, {}]],
  [['crun_x'], ['crun_x', {}]],
  [['--report'], [undefined, { report: true }]],
  [
    ['crun_x', '--report'],
    ['crun_x', { report: true }],
  ],
])('show %j', async (argv, expected) => {
  expect(await parse(showVerb, argv)).toEqual(expected)
})

test('prints the latest run', async () => {
  expect(await printAll(['reports', 'show'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns, 120 columns, pipe
    crun_****************
      Cluster     shop-prod (prod, v1.34.2)
      Scanned     2026-08-31 06:00:00
      Score       80
      Checks      5, 5 failed
      Findings    5: 3 critical, 2 medium
      Artifacts   3 images, 1 Helm chart
      Vulnerable  unknown
    === --json
    {"run_id":"crun_****************","cluster_name":"shop-prod","environment":"prod","provider":null,"region":null,"source":"relt","source_version":null,"kubernetes_version":"v1.34.2","score":80,"score_source":"scanner","format":"kubebuddy","total_checks":5,"failed_checks":5,"passed_checks":0,"is_empty":false,"vulnerability_scan":false,"not_run_checks":0,"gate":null,"findings":{"total":5,"critical":3,"high":0,"medium":2,"low":0,"info":0,"unknown":0},"suppressed_findings":0,"artifacts":{"images":3,"helm_charts":1,"apps":0},"started_at":null,"finished_at":"2026-08-31 06:00:00","duration_seconds":null,"ingested_at":"2026-09-01 12:00:00","processing_status":"ready","size_bytes":1545,"ci":null,"scope_gaps":0,"gaps_key":"","scanner":"kubebuddy","subjects":[{"kind":"cluster","name":"","parts":[{"name":"NET002","state":"read"},{"name":"NS002","state":"read"},{"name":"SEC003","state":"read"},{"name":"SEC014","state":"read"},{"name":"WRK007","state":"read"}],"places":{"read":"all","left_out":["kube-system"],"forbidden":[],"failed":[]}}],"checks_not_run":[],"first_seen_checks":[],"missing_checks":[],"guidance":[],"risk_paths":null,"aks_readiness":null}
    "
  `)
})

test.each([{ columns: 80 }, {}])('--report prints the report as it was uploaded (%j)', async (form) => {
  const { stdout } = await runCli(['reports', 'show', ids[1]!, '--report'], { home, ...form })
  expect(JSON.parse(stdout)).toEqual(smallReports[1])
})

test('--report --json prints the run with its report', async () => {
  const { stdout } = await runCli(['reports', 'show', ids[1]!, '--report', '--json'], { home })
  expect(JSON.parse(stdout)).toMatchObject({ run_id: ids[1], report: smallReports[1] })
})
