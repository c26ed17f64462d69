import { beforeAll, expect, test } from 'vitest'
import { createCommand } from '../../src/cli/impact.ts'
import { runCli } from '../helpers/cli.ts'
import { folderOfFile, parse, printAll } from '../helpers/output.ts'
import { makeSmallCatalog, makeSmallStore } from '../helpers/small-store.ts'

const home = folderOfFile()
const empty = folderOfFile()
beforeAll(async () => {
  await makeSmallStore(home)
  await makeSmallCatalog(empty)
})

test.each([
  [[], [{}]],
  [['-r', '12'], [{ release: 12 }]],
  [['--cve', 'CVE-2026-1234'], [{ cve: 'CVE-2026-1234' }]],
  [['-p', 'argo-cd'], [{ project: 'argo-cd' }]],
])('impact %j', async (argv, expected) => {
  expect(await parse(createCommand, argv)).toEqual(expected)
})

test('prints what of a project is behind', async () => {
  expect(await printAll(['impact', '--project', 'nginx'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    1 of 1 cluster, 1 namespace, 1 workload
    CLUSTER    ARTIFACT      WANTS  RUNS IN
    shop-prod  nginx:1.27.3  2.0.1  shop/deployment/web
    Measured against the catalog of 2099-01-01; ? marks what its tag does not tell.
    === 120 columns, pipe
    1 of 1 cluster, 1 namespace, 1 workload
    CLUSTER    ARTIFACT      WANTS  SEVERITY  RUNS IN
    shop-prod  nginx:1.27.3  2.0.1  -         shop/deployment/web
    Measured against the catalog of 2099-01-01; ? marks what its tag does not tell.
    === --json
    {"success":true,"catalog_date":"2099-01-01","releases":[],"summary":{"clusters_seen":1,"clusters":1,"namespaces":1,"workloads":1,"artifacts":1},"coverage":{"artifacts":4,"known":3,"security_known":0,"projects":2,"catalog_at":"2099-01-01","security_facts_at":null},"items":[{"cluster_name":"shop-prod","environment":"prod","run_id":"crun_****************","seen_at":"2026-08-31 06:00:00","product_id":5,"product_name":"NGINX","artifact_type":"image","artifact_key":"docker.io/library/nginx:1.27.3","display_name":"nginx:1.27.3","current_version":"1.27.3","inherited_from_helm":false,"namespaces":["shop"],"workloads":["shop/deployment/web"],"release_id":8,"wanted_version":"2.0.1","severity":"none","is_certain":true,"confidence":0.98}]}
    "
  `)
})

test('as CSV it has every field', async () => {
  const { stdout } = await runCli(['impact', '--project', 'nginx', '--output', 'csv'], { home })
  expect(stdout).toMatchInlineSnapshot(`
    "cluster,environment,project,artifact,runs,wants,severity,certain,namespaces,workloads
    shop-prod,prod,NGINX,nginx:1.27.3,1.27.3,2.0.1,none,true,shop,shop/deployment/web
    "
  `)
})

test.each([
  [['--cve', 'CVE-2026-1234'], home, 'No release in the catalog says that it fixes CVE-2026-1234.\n'],
  [[], home, 'Nothing in 1 cluster is concerned.\n'],
  [['-p', 'nginx'], empty, 'No report tells what runs. Upload one: relt reports upload FILE\n'],
])('impact %j says why there is nothing', async (argv, home, stderr) => {
  expect(await runCli(['impact', ...argv], { home })).toEqual({ code: 0, stdout: '', stderr })
})

test('two questions are refused', async () => {
  const { code, stderr } = await runCli(['impact', '--release', '1', '--cve', 'CVE-2026-1234'], { home })
  expect(code).toBe(2)
  expect(stderr).toContain('--release, --cve and --project exclude each other.')
})
