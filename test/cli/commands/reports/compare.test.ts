import { beforeAll, expect, test } from 'vitest'
import compareVerb from '../../../../src/cli/commands/reports/compare.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { folderOfFile, parse, printAll } from '../../../helpers/output.ts'
import { makeSmallStore, smallReports, uploadAll } from '../../../helpers/small-store.ts'

const home = folderOfFile()
let ids: string[]
beforeAll(async () => {
  ids = await makeSmallStore(home)
})

test.each([
  [[], {}],
  [['-c', 'prod-eu', '-e', 'dev'], { cluster: 'prod-eu', environment: 'dev' }],
  [['--from', 'crun_a', '--to', 'crun_b'], { from: 'crun_a', to: 'crun_b' }],
  [['-n', '3'], { limit: 3 }],
])('compare %j', async (argv, options) => {
  expect(await parse(compareVerb, argv)).toEqual([options])
})

test('prints what the latest run changed', async () => {
  expect(await printAll(['reports', 'compare'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    shop-prod (prod)  2026-08-24 06:00 → 2026-08-31 06:00
    Score 72.5 → 80 +7.5   1 new, 2 regressed, 1 resolved, 2 unchanged

    Regressed
    SEVERITY       CHECK   RESOURCE                    MESSAGE
    critical       NET002  monitoring service/grafana  Reachable from outside
                                                       through a node port
    info → medium  NS002   shop namespace/shop         No ResourceQuota

    New
    SEVERITY  CHECK   RESOURCE                        MESSAGE
    critical  SEC014  shop pod/cart-5d9c7b8f66-k2j4x  Registry of container cart is
                                                      not on the list

    Resolved
    SEVERITY  CHECK   RESOURCE                       MESSAGE
    critical  SEC003  shop pod/web-5f7d9b6c4d-x8w2z  Container web runs as root
    === 120 columns, pipe
    shop-prod (prod)  2026-08-24 06:00 → 2026-08-31 06:00
    Score 72.5 → 80 +7.5   1 new, 2 regressed, 1 resolved, 2 unchanged

    Regressed
    SEVERITY       CHECK   RESOURCE                    MESSAGE
    critical       NET002  monitoring service/grafana  Reachable from outside through a node port
    info → medium  NS002   shop namespace/shop         No ResourceQuota

    New
    SEVERITY  CHECK   RESOURCE                        MESSAGE
    critical  SEC014  shop pod/cart-5d9c7b8f66-k2j4x  Registry of container cart is not on the list

    Resolved
    SEVERITY  CHECK   RESOURCE                       MESSAGE
    critical  SEC003  shop pod/web-5f7d9b6c4d-x8w2z  Container web runs as root
    === --json
    {"success":true,"cluster_name":"shop-prod","environment":"prod","from":{"run_id":"crun_****************","cluster_name":"shop-prod","environment":"prod","provider":null,"region":null,"source":"relt","source_version":null,"kubernetes_version":"v1.34.2","score":72.5,"score_source":"scanner","format":"kubebuddy","total_checks":5,"failed_checks":3,"passed_checks":2,"is_empty":false,"vulnerability_scan":false,"not_run_checks":0,"gate":null,"findings":{"total":4,"critical":2,"high":0,"medium":1,"low":0,"info":1,"unknown":0},"suppressed_findings":0,"artifacts":{"images":3,"helm_charts":1,"apps":0},"started_at":null,"finished_at":"2026-08-24 06:00:00","duration_seconds":null,"ingested_at":"2026-09-01 12:00:00","processing_status":"ready","size_bytes":1415,"ci":null,"scope_gaps":0,"gaps_key":"","checks_not_run":[]},"to":{"run_id":"crun_****************","cluster_name":"shop-prod","environment":"prod","provider":null,"region":null,"source":"relt","source_version":null,"kubernetes_version":"v1.34.2","score":80,"score_source":"scanner","format":"kubebuddy","total_checks":5,"failed_checks":5,"passed_checks":0,"is_empty":false,"vulnerability_scan":false,"not_run_checks":0,"gate":null,"findings":{"total":5,"critical":3,"high":0,"medium":2,"low":0,"info":0,"unknown":0},"suppressed_findings":0,"artifacts":{"images":3,"helm_charts":1,"apps":0},"started_at":null,"finished_at":"2026-08-31 06:00:00","duration_seconds":null,"ingested_at":"2026-09-01 12:00:00","processing_status":"ready","size_bytes":1545,"ci":null,"scope_gaps":0,"gaps_key":"","checks_not_run":[]},"score_delta":7.5,"new_findings":[{"fingerprint":"*","check_id":"SEC014","check_name":"Check SEC014","category":"Security","severity":"critical","namespace":"shop","resource":"pod/cart-5d9c7b8f66-k2j4x","message":"Registry of container cart is not on the list","value":null,"count":1}],"resolved_findings":[{"fingerprint":"*","check_id":"SEC003","check_name":"Check SEC003","category":"Security","severity":"critical","namespace":"shop","resource":"pod/web-5f7d9b6c4d-x8w2z","message":"Container web runs as root","value":null,"count":1}],"regressed_findings":[{"fingerprint":"*","check_id":"NET002","check_name":"Check NET002","category":"Security","severity":"critical","namespace":"monitoring","resource":"service/grafana","message":"Reachable from outside through a node port","value":null,"count":1},{"fingerprint":"*","check_id":"NS002","check_name":"Check NS002","category":"Security","severity":"medium","namespace":"shop","resource":"namespace/shop","message":"No ResourceQuota","value":null,"count":1,"previous_severity":"info"}],"changed_findings":[],"suppressed_findings":[],"event_findings":[],"event_findings_count":0,"renamed_workloads":[],"renamed_findings":[],"renamed_findings_count":0,"ended_event_findings_count":0,"first_seen_findings":[],"back_in_scope_findings":[],"not_looked_at_findings":[],"not_looked_at_findings_count":0,"at_rest_findings":[],"at_rest_findings_count":0,"new_findings_count":1,"resolved_findings_count":1,"regressed_findings_count":2,"changed_findings_count":0,"suppressed_findings_count":0,"first_seen_findings_count":0,"back_in_scope_findings_count":0,"unchanged_findings_count":2,"incomparable_findings_count":0,"incomparable_findings":[],"risk_paths":null,"aks_readiness":null,"scope_changes":{"namespaces_excluded":[],"namespaces_included":[],"checks_removed":[],"checks_added":[]},"accepted_findings_count":0,"other_environments":[]}
    "
  `)
})

test('prints two named runs, backwards as well', async () => {
  const argv = ['reports', 'compare', '--from', ids[2]!, '--to', ids[0]!]
  const { stdout } = await runCli(argv, { home, columns: 80, env: { NO_COLOR: '1' } })
  expect(stdout).toMatchInlineSnapshot(`
    "shop-prod (prod)  2026-08-31 06:00 → 2026-08-12 06:00
    Score 80 → 61 -19   2 new, 0 regressed, 1 resolved, 4 unchanged

    New
    SEVERITY  CHECK   RESOURCE                      MESSAGE
    critical  SEC003  shop pod/web-65cc8855c-ghk9m  Container web runs as root
    medium    WRK007  shop deployment/cart          readiness, liveness missing

    Resolved
    SEVERITY  CHECK   RESOURCE                        MESSAGE
    critical  SEC014  shop pod/cart-5d9c7b8f66-k2j4x  Registry of container cart is
                                                      not on the list
    "
  `)
})

test('--limit cuts each list and tells how many are left', async () => {
  const argv = ['reports', 'compare', '--limit', '1']
  const { stdout } = await runCli(argv, { home, columns: 80, env: { NO_COLOR: '1' } })
  expect(stdout).toMatchInlineSnapshot(`
    "shop-prod (prod)  2026-08-24 06:00 → 2026-08-31 06:00
    Score 72.5 → 80 +7.5   1 new, 2 regressed, 1 resolved, 2 unchanged

    Regressed  and 1 more: --limit 2
    SEVERITY  CHECK   RESOURCE                    MESSAGE
    critical  NET002  monitoring service/grafana  Reachable from outside through a
                                                  node port

    New
    SEVERITY  CHECK   RESOURCE                        MESSAGE
    critical  SEC014  shop pod/cart-5d9c7b8f66-k2j4x  Registry of container cart is
                                                      not on the list

    Resolved
    SEVERITY  CHECK   RESOURCE                       MESSAGE
    critical  SEC003  shop pod/web-5f7d9b6c4d-x8w2z  Container web runs as root
    "
  `)
})

test('colours tell better from worse', async () => {
  const { stdout } = await runCli(['reports', 'compare', '--limit', '1'], { home, columns: 80 })
  expect(stdout.replaceAll('\u001b', 'ESC')).toMatchInlineSnapshot(`
    "ESC[1mshop-prodESC[22m (prod)  2026-08-24 06:00 → 2026-08-31 06:00
    Score 72.5 → ESC[1m80ESC[22m ESC[32m+7.5ESC[39m   ESC[31m1 newESC[39m, ESC[31m2 regressedESC[39m, ESC[32m1 resolvedESC[39m, ESC[2m2 unchangedESC[22m

    ESC[1mESC[31mRegressedESC[39mESC[22mESC[2m  and 1 more: --limit 2ESC[22m
    ESC[2mSEVERITYESC[22m  ESC[2mCHECKESC[22m   ESC[2mRESOURCEESC[22m                    ESC[2mMESSAGEESC[22m
    ESC[1mESC[31mcriticalESC[39mESC[22m  NET002  monitoring service/grafana  Reachable from outside through a
                                                  node port

    ESC[1mESC[31mNewESC[39mESC[22m
    ESC[2mSEVERITYESC[22m  ESC[2mCHECKESC[22m   ESC[2mRESOURCEESC[22m                        ESC[2mMESSAGEESC[22m
    ESC[1mESC[31mcriticalESC[39mESC[22m  SEC014  shop pod/cart-5d9c7b8f66-k2j4x  Registry of container cart is
                                                      not on the list

    ESC[1mESC[32mResolvedESC[39mESC[22m
    ESC[2mSEVERITYESC[22m  ESC[2mCHECKESC[22m   ESC[2mRESOURCEESC[22m                       ESC[2mMESSAGEESC[22m
    ESC[1mESC[31mcriticalESC[39mESC[22m  SEC003  shop pod/web-5f7d9b6c4d-x8w2z  Container web runs as root
    "
  `)
})

test('a difference in scope is told', async () => {
  const home = temporaryFolder()
  const wider = structuredClone(smallReports[2]!)
  wider.metadata.generatedAt = '2026-08-31T07:00:00Z'
  wider.metadata.excludedNamespaces = ['kube-system', 'monitoring']
  delete wider.checks.WRK007
  delete wider.checks.NET002
  await uploadAll(home, [smallReports[2], wider])
  const { stdout } = await runCli(['reports', 'compare'], { home, columns: 80, env: { NO_COLOR: '1' } })
  expect(stdout).toMatchInlineSnapshot(`
    "shop-prod (prod)  2026-08-31 06:00 → 2026-08-31 07:00
    Score 80 → 80* (not comparable)   0 new, 0 regressed, 0 resolved, 2 not
    comparable, 3 unchanged
    * marks a score with gaps: checks did not run, or are missing from the scan.
    The scope of the two scans differs; 2 findings cannot be compared.
    Namespaces no longer scanned: monitoring
    Checks no longer run: NET002, WRK007
    "
  `)
})

test('a difference in scope is told within the width of the terminal', async () => {
  const home = temporaryFolder()
  const [report] = structuredClone(smallReports)
  report!.metadata.excludedNamespaces = ['kube-system', ...Array.from({ length: 9 }, (_, i) => `team-${i}-production`)]
  await uploadAll(home, [smallReports[0], report])
  const { stdout } = await runCli(['reports', 'compare'], { home, columns: 80, env: { NO_COLOR: '1' } })
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
})

test('runs without a score are compared', async () => {
  const home = temporaryFolder()
  const [from, to] = structuredClone(smallReports)
  delete from!.metadata.score
  await uploadAll(home, [from, to])
  const { stdout } = await runCli(['reports', 'compare'], { home, columns: 80, env: { NO_COLOR: '1' } })
  expect(stdout.split('\n')[1]).toMatchInlineSnapshot(
    `"Score n/a → 72.5 n/a   0 new, 0 regressed, 2 resolved, 4 unchanged"`,
  )
})
