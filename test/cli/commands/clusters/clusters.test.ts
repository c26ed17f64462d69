import { beforeAll, describe, expect, test } from 'vitest'
import { set as setVerb } from '../../../../src/cli/commands/clusters/noun.ts'
import { runCli } from '../../../helpers/cli.ts'
import { folderOfFile, parse, printAll, withoutIds } from '../../../helpers/output.ts'
import { makeSmallCatalog, makeSmallStore, smallReport } from '../../../helpers/small-store.ts'

const home = folderOfFile()
const run = (argv: string[], options: object = {}) => runCli(['clusters', ...argv], { home, ...options })
const status = (argv: string[]) => runCli(['status', ...argv], { home })

/** With an older Argo CD. */
const testReport = {
  ...smallReport('2026-08-30T06:00:00Z', 70, { SEC003: { severity: 'critical', items: [] } }),
  artifacts: {
    images: [
      { fullRef: 'quay.io/argoproj/argocd:v3.4.8', namespace: 'argocd' },
      { fullRef: 'registry.shop.example/shop/cart:2026.9.0', namespace: 'shop' },
    ],
  },
}

beforeAll(async () => {
  await makeSmallStore(home)
  const stdin = JSON.stringify(testReport)
  await runCli(['reports', 'upload', '-', '-c', 'shop-test', '-e', 'test'], { home, stdin })
})

test.each([
  [['x', '--every', '24h'], { every: 86_400 }],
  [['x', '--every', '30m'], { every: 1800 }],
  [['x', '--no-every'], { every: false }],
  [['x', '--label', 'a', '--label', 'b', '--remove-label', 'c'], { label: ['a', 'b'], removeLabel: ['c'] }],
])('set %j', async (argv, expected) => {
  expect(await parse(setVerb, argv)).toEqual(['x', expected])
})

test.each(['0h', '24', '1y', '-1d', '400d', ''])('set --every refuses %j', async (every) => {
  await expect(parse(setVerb, ['x', '--every', every])).rejects.toThrow('30m, 24h or 7d')
})

test('lists clusters with their figures', async () => {
  const { stdout } = await runCli(['status', '--all', '--since', '2d', '-o', 'wide', '--no-color'], {
    home,
    columns: 80,
  })
  expect(stdout).toMatchInlineSnapshot(`
    "1 of 2 clusters needs attention
    1 with new critical findings.
    1 more has known problems only.
    New since Sun 12:00: 2 critical of 3 findings.
    Standing: 3 critical in 1 cluster, not accepted, the oldest for 20 d; 1 out of support.
    CLUSTER    ENVIRONMENT  SCORE  CHANGE  TREND  SCANNED     NEW  REGRESSED  BEHIND
    shop-prod  prod            80    +7.5  ▁▅█    1 day ago     1          2       3
    shop-test  test            70       -  ▅      2 days ago    0          0       2
    "
  `)
})

test('draws scores in ASCII where the locale has no other characters', async () => {
  const { stdout } = await runCli(['status', '--since', '2d', '-o', 'wide'], {
    home,
    columns: 120,
    env: { LANG: 'C', NO_COLOR: '1' },
  })
  expect(stdout).toMatch(/shop-prod .* _=# /)
  expect(stdout).not.toContain('▁')
})

test('shows a cluster with its settings and figures', async () => {
  const { stdout } = await runCli(['status', 'shop-prod/prod', '--since', '2d', '-o', 'wide', '--no-color'], {
    home,
    columns: 80,
  })
  expect(withoutIds(stdout)).toMatchInlineSnapshot(`
    "shop-prod (prod)  score 80 +7.5, scanned 1 day ago
    Needs attention
    New since Sun 12:00: 2 critical of 3 findings.
    Standing: 3 critical in 1 cluster, not accepted, the oldest for 20 d; 1 out of support.
    Now
      2 critical new or regressed
    Known
      1 out of support
      3 new or regressed
      1 near the end of support
      2 outdated by a major version
    Not known
      No gate has judged it.
      1 of 4 artifacts are unknown to the catalog.
    Upgrade to Kubernetes 1.35: READY WITH WARNINGS (4), no part to move
      ID          clus_****************
      Labels      none
      Expected    no interval is set
      Platform    v1.34.2
      Scanned     2026-08-31 06:00:00 (1 day ago)
      Latest run  crun_****************
      Score       80 (+7.5)  ▁▅█
      Changes     1 new, 2 regressed, 1 resolved
      Gate        no verdict is recorded
      Versions    3 behind (2 major), 3 of 4 artifacts known; 0 with advisories; 1 out of support, 1 near its end
    "
  `)
})

test('tells charts from apps at 60 columns', async () => {
  const { stdout } = await runCli(['status', 'shop-test', 'shop-prod', '--no-color'], { home, columns: 60 })
  expect(stdout.split('\n', 1)[0]).toMatch(/^PROJECT +TYPE +/)
})

test('compares what runs in two clusters', async () => {
  expect(await printAll(['status', 'shop-test', 'shop-prod'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    PROJECT                         TYPE   SHOP-TEST  SHOP-PROD  DIFFERENCE
    Argo CD                         app    v3.4.8     v3.5.1     shop-test is behind
    Argo CD                         chart  -          9.1.0      only in shop-prod
    NGINX                           app    -          1.27.3     only in shop-prod
    registry.shop.example/shop/     app    2026.9.0   2026.8.0   shop-prod is behind
    cart
    === 120 columns, pipe
    PROJECT                          TYPE   SHOP-TEST  SHOP-PROD  DIFFERENCE
    Argo CD                          app    v3.4.8     v3.5.1     shop-test is behind
    Argo CD                          chart  -          9.1.0      only in shop-prod
    NGINX                            app    -          1.27.3     only in shop-prod
    registry.shop.example/shop/cart  app    2026.9.0   2026.8.0   shop-prod is behind
    === --json
    {"success":true,"from":{"cluster_id":"clus_****************","cluster_name":"shop-test","environment":"test","run_id":"crun_****************","seen_at":"2026-08-30 06:00:00"},"to":{"cluster_id":"clus_****************","cluster_name":"shop-prod","environment":"prod","run_id":"crun_****************","seen_at":"2026-08-31 06:00:00"},"summary":{"from_behind":1,"only_to":2,"to_behind":1,"same":1},"pending":0,"items":[{"product_id":1,"name":"Argo CD","artifact_type":"app","from":["v3.4.8"],"to":["v3.5.1"],"difference":"from_behind"},{"product_id":1,"name":"Argo CD","artifact_type":"helm_chart","from":[],"to":["9.1.0"],"difference":"only_to"},{"product_id":5,"name":"NGINX","artifact_type":"app","from":[],"to":["1.27.3"],"difference":"only_to"},{"product_id":null,"name":"registry.shop.example/shop/cart","artifact_type":"app","from":["2026.9.0"],"to":["2026.8.0"],"difference":"to_behind"}]}
    "
  `)
})

test('lists the versions of a project, the stragglers first', async () => {
  expect(await printAll(['clusters', 'versions', 'argo-cd'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    Argo CD (latest release v3.5.1)
    CLUSTER    ENVIRONMENT  VERSION  STEP    ARTIFACT                RELEASES BEHIND
    shop-prod  prod         9.1.0    10.1.1  argo-cd (chart)                       1
    shop-test  test         v3.4.8   v3.5.1  quay.io/argoproj/argo…                1
    shop-prod  prod         v3.5.1           quay.io/argoproj/argo…                0
    Runs in 2 of 2 clusters with an inventory. Facts of 2099-01-01.
    === 120 columns
    Argo CD (latest release v3.5.1)
    CLUSTER    ENVIRONMENT  VERSION  STEP    ARTIFACT                 RELEASES BEHIND  DAYS BEHIND  WORKLOADS  SCANNED
    shop-prod  prod         9.1.0    10.1.1  argo-cd (chart)                        1          111          1  1 day ago
    shop-test  test         v3.4.8   v3.5.1  quay.io/argoproj/argocd                1           36          1  2 days ago
    shop-prod  prod         v3.5.1           quay.io/argoproj/argocd                0            0          1  1 day ago
    Runs in 2 of 2 clusters with an inventory. Facts of 2099-01-01.
    === pipe
    Argo CD (latest release v3.5.1)
    CLUSTER    ENVIRONMENT  VERSION  STEP    ARTIFACT                 RELEASES BEHIND  DAYS BEHIND  WORKLOADS  SCANNED
    shop-prod  prod         9.1.0    10.1.1  argo-cd (chart)                        1          111          1  2026-08-31 06:00:00
    shop-test  test         v3.4.8   v3.5.1  quay.io/argoproj/argocd                1           36          1  2026-08-30 06:00:00
    shop-prod  prod         v3.5.1           quay.io/argoproj/argocd                0            0          1  2026-08-31 06:00:00
    Runs in 2 of 2 clusters with an inventory. Facts of 2099-01-01.
    === --json
    {"success":true,"product":{"id":1,"name":"Argo CD","latest_version":"v3.5.1"},"summary":{"clusters":2,"running":2,"with_inventory":2,"pending":0},"catalog_date":"2099-01-01","unknown":[],"items":[{"cluster_id":"clus_****************","cluster_name":"shop-prod","environment":"prod","run_id":"crun_****************","seen_at":"2026-08-31 06:00:00","artifact_type":"helm_chart","name":"argo-cd","version":"9.1.0","status":"major_behind","releases_behind":1,"days_behind":111,"states":[],"step":{"version":"10.1.1","via":[]},"count":1},{"cluster_id":"clus_****************","cluster_name":"shop-test","environment":"test","run_id":"crun_****************","seen_at":"2026-08-30 06:00:00","artifact_type":"image","name":"quay.io/argoproj/argocd","version":"v3.4.8","status":"minor_behind","releases_behind":1,"days_behind":36,"states":[],"step":{"version":"v3.5.1","via":[]},"count":1},{"cluster_id":"clus_****************","cluster_name":"shop-prod","environment":"prod","run_id":"crun_****************","seen_at":"2026-08-31 06:00:00","artifact_type":"image","name":"quay.io/argoproj/argocd","version":"v3.5.1","status":"up_to_date","releases_behind":0,"days_behind":0,"states":[],"step":null,"count":1}]}
    "
  `)
})

test('says that a project is not known to run', async () => {
  const { code, stderr } = await run(['versions', 'argo-workflows'])
  expect(code).toBe(0)
  expect(stderr).toContain('Argo Workflows is not known to run in any cluster.')
})

test('a chart and its images of one version are one line of the table, and one item each in JSON', async () => {
  const own = folderOfFile()
  await makeSmallCatalog(own)
  const images = ['quay.io/argoproj/argocd', 'registry.example/mirror/argoproj/argocd'].map((name) => ({
    ...{ fullRef: `${name}:v3.4.8`, namespace: 'argocd' },
  }))
  const stdin = JSON.stringify({ ...testReport, artifacts: { images: [...images, ...testReport.artifacts.images] } })
  await runCli(['reports', 'upload', '-', '-c', 'shop', '-e', 'test'], { home: own, stdin })
  const lines = async (...more: string[]) =>
    (await runCli(['clusters', 'versions', 'argo-cd', ...more], { home: own })).stdout.trim().split('\n')
  const rows = await lines()
  expect(rows.slice(2)).toEqual([expect.stringMatching(/^shop +test +v3\.4\.8 +v3\.5\.1 +2 images/), expect.anything()])
  const [json] = await lines('--json')
  expect(
    JSON.parse(json!)
      .items.map(({ name }: { name: string }) => name)
      .sort(),
  ).toEqual(['quay.io/argoproj/argocd', 'registry.example/mirror/argoproj/argocd'])
})

describe('a cluster that is not found', () => {
  test.each([
    ['shop-pord', 'Did you mean shop-prod?'],
    ['shop-prod/tset', 'Did you mean shop-prod/prod?'],
    ['zzz-zzz-zzz-zzz', 'Clusters: shop-prod/prod, shop-test/test.'],
  ])('%s', async (name, hint) => {
    expect(await runCli(['status', name], { home })).toEqual({
      code: 3,
      stdout: '',
      stderr: `error: No cluster named "${name}".\nhint: ${hint}\n`,
    })
  })
})

describe('changes', () => {
  test('sets the expected interval and labels', async () => {
    const { stderr } = await run(['set', 'shop-test', '--every', '36h', '--label', 'team-a', '--label', 'b'])
    expect(stderr).toBe('✓ Changed shop-test/test: every 36h, labels: b, team-a\n')
    const { stderr: removed } = await run(['set', 'shop-test', '--remove-label', 'b'])
    expect(removed).toBe('✓ Changed shop-test/test: every 36h, labels: team-a\n')
    expect(JSON.parse((await status(['--all', '--label', 'team-a', '--json'])).stdout).clusters).toHaveLength(1)
    const { stderr: none } = await run(['set', 'shop-test', '--no-every', '--remove-label', 'team-a'])
    expect(none).toBe('✓ Changed shop-test/test: no expected interval, labels: none\n')
    expect(await run(['set', 'shop-test'])).toMatchObject({ code: 2 })
  })

  test('renames a cluster, and merges none', async () => {
    const { stderr } = await run(['rename', 'shop-test', 'shop'])
    expect(stderr).toBe(
      '✓ Renamed shop-test/test to shop/test\n' +
        'Reports that name shop-test are stored as a cluster of that name. Upload them with --cluster shop.\n',
    )
    await run(['rename', 'shop', 'shop-prod'])
    const refused = await run(['set', 'shop-prod/test', '-e', 'prod'])
    const { clusters } = JSON.parse((await status(['--all', '--json'])).stdout)
    const [prod] = clusters.filter(({ environment }: { environment: string }) => environment === 'prod')
    expect(refused.code).toBe(2)
    expect(refused.stderr).toBe(
      'error: Another cluster is named shop-prod in the environment prod.\n' +
        `hint: Its id is ${prod.cluster_id}. Clusters are never merged: delete one, or choose another name.\n`,
    )
    expect((await status(['shop-prod'])).stderr).toBe(
      'error: shop-prod has several environments.\nhint: Choose one: shop-prod/prod, shop-prod/test.\n',
    )
  })

  test('deletes a cluster once it is confirmed', async () => {
    expect((await run(['delete', 'shop-prod/test'])).stderr).toContain('Add --yes to confirm.')
    expect((await run(['delete', 'shop-prod/test', '--yes'])).stderr).toBe('✓ Deleted shop-prod/test with 1 run\n')
    expect((await status(['shop-prod/test'])).code).toBe(3)
  })
})
