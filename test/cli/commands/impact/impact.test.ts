import { beforeAll, expect, test } from 'vitest'
import impactVerb from '../../../../src/cli/commands/impact/index.ts'
import { storeAdvisories } from '../../../helpers/advisories.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { folderOfFile, parse, printAll } from '../../../helpers/output.ts'
import { makeSmallCatalog, makeSmallStore } from '../../../helpers/small-store.ts'

const home = folderOfFile()
const empty = folderOfFile()
beforeAll(async () => {
  await makeSmallStore(home)
  await makeSmallCatalog(empty)
})

test.each([
  [[], [undefined, {}]],
  [['CVE-2026-1234'], ['CVE-2026-1234', {}]],
  [
    ['-r', '12'],
    [undefined, { release: 12 }],
  ],
])('impact %j', async (argv, expected) => {
  expect(await parse(impactVerb, argv)).toEqual(expected)
})

test('prints what is older than a release', async () => {
  expect(await printAll(['impact', '--release', '8'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    1 of 1 cluster, 1 namespace, 1 workload, 1 artifact
    CLUSTER    ARTIFACT      UPGRADE TO  WORKLOADS
    shop-prod  nginx:1.27.3  2.0.1       shop/deployment/web
    Covers 1 cluster; 1 of 4 versions unknown. Facts of 2099-01-01. No security
    facts about these 3 projects.
    === 120 columns, pipe
    1 of 1 cluster, 1 namespace, 1 workload, 1 artifact
    CLUSTER    ARTIFACT      UPGRADE TO  SEVERITY  WORKLOADS
    shop-prod  nginx:1.27.3  2.0.1       -         shop/deployment/web
    Covers 1 cluster; 1 of 4 versions unknown. Facts of 2099-01-01. No security facts about these 3 projects.
    === --json
    {"success":true,"catalog_date":"2099-01-01","looked_at":{"projects":3,"security_known":0,"clusters":[{"cluster_name":"shop-prod","environment":"prod","run_id":"crun_****************","seen_at":"2026-08-31 06:00:00","artifacts":4,"known":3}]},"releases":[{"release_id":8,"product_id":5,"version":"2.0.1"}],"summary":{"clusters_seen":1,"clusters":1,"namespaces":1,"workloads":1,"artifacts":1},"coverage":{"artifacts":4,"known":3,"security_known":0,"projects":2,"catalog_at":"2099-01-01","security_facts_at":null,"advisories_known":0,"advisory_facts_at":null},"items":[{"cluster_name":"shop-prod","environment":"prod","run_id":"crun_****************","seen_at":"2026-08-31 06:00:00","product_id":5,"product_name":"NGINX","artifact_type":"image","artifact_key":"docker.io/library/nginx:1.27.3","display_name":"nginx:1.27.3","current_version":"1.27.3","inherited_from_helm":false,"namespaces":["shop"],"workloads":["shop/deployment/web"],"release_id":8,"wanted_version":"2.0.1","fixed_in":"2.0.1","step":{"version":"2.0.1","image":"docker.io/library/nginx:2.0.1","via":[],"fixes":{"critical":0,"high":0,"medium":0,"low":0,"unrated":0,"exploited":0},"leaves":{"critical":0,"high":0,"medium":0,"low":0,"unrated":0,"exploited":0},"gains":[],"because":[]},"states":["unsupported"],"severity":"none","has_security_fix":false,"is_certain":true,"confidence":0.98}]}
    "
  `)
})

test('as CSV it has every field', async () => {
  const { stdout } = await runCli(['impact', '--release', '8', '--output', 'csv'], { home })
  expect(stdout).toMatchInlineSnapshot(`
    "cluster,environment,project,artifact,runs,upgrade_to,severity,certain,namespaces,workloads,advisories,fixed_in,step,exploited,states
    shop-prod,prod,NGINX,nginx:1.27.3,1.27.3,2.0.1,none,true,shop,shop/deployment/web,,2.0.1,2.0.1,false,unsupported
    "
  `)
})

const seen =
  'Covers 1 cluster; 1 of 4 versions unknown. Facts of 2099-01-01. No security facts about these 3 projects.\n'

test.each([
  [
    [],
    home,
    seen,
    'No known version in 1 cluster is affected. Some of what runs is unknown, or has no facts to compare with.\n',
  ],
  [
    ['--release', '8'],
    empty,
    'No report says what runs, so nothing was compared. Facts of 2099-01-01.\n',
    'Upload one: relt reports upload FILE\n',
  ],
])('impact %j says what it looked at and why there is nothing', async (argv, home, stdout, stderr) => {
  expect(await runCli(['impact', ...argv], { home })).toEqual({ code: 0, stdout, stderr })
})

test.each(['CVE-2026-1234', 'ACME-2026-1'])('%s is undecided while nothing is known of it', async (id) => {
  const { code, stdout, stderr } = await runCli(['impact', id], { home })
  expect({ code, stdout }).toEqual({ code: 6, stdout: '' })
  expect(stderr).toMatch(new RegExp(`^error: It is unknown whether ${id} affects you: the catalog of 2099-01-01`))
  expect((await runCli(['impact', id, '--json'], { home })).code).toBe(6)
  const unseen = await runCli(['impact', id], { home: empty })
  expect(unseen).toMatchObject({ code: 6, stderr: expect.stringContaining('no report says what runs') })
})

test.each(['CVE-1', 'GHSA-x', 'acme', '1-2', 'CVE'])('%s is no id', async (id) => {
  expect((await runCli(['impact', id], { home })).code).toBe(2)
})

test('answers about an advisory of any database, by its id in any case', async () => {
  const own = temporaryFolder()
  await makeSmallStore(own)
  const affected = [
    { package: { ecosystem: 'Acme', name: 'nginx' }, ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }] }] },
  ]
  const records = ['ACME-2026-1', 'Acme-SU-2026:12'].map((id) => ({ id, published: '2026-07-01T00:00:00Z', affected }))
  await storeAdvisories(own, records)
  for (const id of ['ACME-2026-1', 'acme-2026-1', 'Acme-SU-2026:12']) {
    const { code, stdout } = await runCli(['impact', id], { home: own })
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('shop-prod  nginx:1.27.3  no fix yet'),
    })
    expect((await runCli(['catalog', 'advisories', 'show', id], { home: own })).code).toBe(0)
  }
})

test('two questions are refused', async () => {
  const { code, stderr } = await runCli(['impact', 'CVE-2026-1234', '--release', '1'], { home })
  expect(code).toBe(2)
  expect(stderr).toContain('An advisory, --release and --new cannot be combined.')
})
