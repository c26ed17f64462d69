import { beforeAll, expect, test } from 'vitest'
import feedVerb from '../../../../src/cli/commands/feed/show.ts'
import type { Client } from '../../../../src/client/client.ts'
import { runCli, temporaryFolder, testNow } from '../../../helpers/cli.ts'
import { folderOfFile, parse, printAll } from '../../../helpers/output.ts'
import { makeSmallCatalog, makeSmallStore, smallReport, smallReports, uploadAll } from '../../../helpers/small-store.ts'

const home = folderOfFile()
beforeAll(async () => {
  await makeSmallStore(home)
  await runCli(['subs', 'add', 'argo-cd', 'nginx', 'kubernetes'], { home })
})

test.each([
  [[], {}],
  [['-d', '365'], { days: 365 }],
  [['--mine'], { mine: true }],
])('feed %j', async (argv, options) => {
  expect(await parse(feedVerb, argv)).toEqual([options])
})

test('prints the releases of the projects that are subscribed to', async () => {
  expect(await printAll(['feed', '--days', '14'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    PROJECT     VERSION  TYPE  RELEASES  PUBLISHED   SECURITY
    NGINX       2.0.1    app          1  2 days ago  -
    Kubernetes  v1.36.0  app          1  6 days ago  -
    Argo CD     v3.5.1   app          2  1 week ago  -
    Covers 3 subscribed projects. Facts of 2099-01-01. No security facts about these
    3 projects.
    --- stderr
    Releases of a project: relt projects releases NAME
    === 120 columns
    PROJECT     VERSION  TYPE  RELEASES  PUBLISHED   SECURITY
    NGINX       2.0.1    app          1  2 days ago  -
    Kubernetes  v1.36.0  app          1  6 days ago  -
    Argo CD     v3.5.1   app          2  1 week ago  -
    Covers 3 subscribed projects. Facts of 2099-01-01. No security facts about these 3 projects.
    --- stderr
    Releases of a project: relt projects releases NAME
    === pipe
    PROJECT     VERSION  TYPE  RELEASES  PUBLISHED            SECURITY
    NGINX       2.0.1    app          1  2026-08-30 00:00:00  -
    Kubernetes  v1.36.0  app          1  2026-08-26 00:00:00  -
    Argo CD     v3.5.1   app          2  2026-08-20 00:00:00  -
    Covers 3 subscribed projects. Facts of 2099-01-01. No security facts about these 3 projects.
    --- stderr
    Releases of a project: relt projects releases NAME
    === --json
    {"success":true,"releases":[{"product_id":5,"name":"NGINX","version":"2.0.1","published_at":"2026-08-30 00:00:00","type":"app","has_security_fix":false,"security_severity":"none"},{"product_id":4,"name":"Kubernetes","version":"v1.36.0","published_at":"2026-08-26 00:00:00","type":"app","has_security_fix":false,"security_severity":"none"},{"product_id":1,"name":"Argo CD","version":"10.1.1","published_at":"2026-08-21 00:00:00","type":"helm","has_security_fix":false,"security_severity":"none"},{"product_id":1,"name":"Argo CD","version":"v3.5.1","published_at":"2026-08-20 00:00:00","type":"app","has_security_fix":false,"security_severity":"none"}],"catalog_date":"2099-01-01","looked_at":{"subscriptions":3,"projects":3,"security_known":0}}
    "
  `)
})

test('prints those that concern what runs', async () => {
  expect(await printAll(['feed', '--days', '14', '--mine'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    PROJECT     VERSION  TYPE  RELEASES  PUBLISHED   SECURITY  AFFECTS
    NGINX       2.0.1    app          1  2 days ago  -         1 cluster
    Kubernetes  v1.36.0  app          1  6 days ago  -         1 cluster
    Argo CD     10.1.1   helm         1  1 week ago  -         1 cluster
    Covers 1 cluster; 1 of 4 versions unknown. Facts of 2099-01-01. No security
    facts about these 3 projects.
    --- stderr
    Releases of a project: relt projects releases NAME
    === 120 columns
    PROJECT     VERSION  TYPE  RELEASES  PUBLISHED   SECURITY  AFFECTS
    NGINX       2.0.1    app          1  2 days ago  -         1 cluster
    Kubernetes  v1.36.0  app          1  6 days ago  -         1 cluster
    Argo CD     10.1.1   helm         1  1 week ago  -         1 cluster
    Covers 1 cluster; 1 of 4 versions unknown. Facts of 2099-01-01. No security facts about these 3 projects.
    --- stderr
    Releases of a project: relt projects releases NAME
    === pipe
    PROJECT     VERSION  TYPE  RELEASES  PUBLISHED            SECURITY  AFFECTS
    NGINX       2.0.1    app          1  2026-08-30 00:00:00  -         1 cluster
    Kubernetes  v1.36.0  app          1  2026-08-26 00:00:00  -         1 cluster
    Argo CD     10.1.1   helm         1  2026-08-21 00:00:00  -         1 cluster
    Covers 1 cluster; 1 of 4 versions unknown. Facts of 2099-01-01. No security facts about these 3 projects.
    --- stderr
    Releases of a project: relt projects releases NAME
    === --json
    {"success":true,"catalog_date":"2099-01-01","looked_at":{"subscriptions":3,"projects":3,"security_known":0,"clusters":[{"cluster_name":"shop-prod","environment":"prod","run_id":"crun_****************","seen_at":"2026-08-31 06:00:00","artifacts":4,"known":3}],"behind_older_fixes":0},"releases":[{"product_id":5,"name":"NGINX","version":"2.0.1","published_at":"2026-08-30 00:00:00","type":"app","has_security_fix":false,"security_severity":"none","release_id":8,"affects":{"clusters":1,"workloads":1,"artifacts":1,"is_certain":true}},{"product_id":4,"name":"Kubernetes","version":"v1.36.0","published_at":"2026-08-26 00:00:00","type":"app","has_security_fix":false,"security_severity":"none","release_id":6,"affects":{"clusters":1,"workloads":0,"artifacts":1,"is_certain":true}},{"product_id":1,"name":"Argo CD","version":"10.1.1","published_at":"2026-08-21 00:00:00","type":"helm","has_security_fix":false,"security_severity":"none","release_id":4,"affects":{"clusters":1,"workloads":0,"artifacts":1,"is_certain":true}}]}
    "
  `)
})

test('says what it looked at before it says that there is nothing new', async () => {
  expect(await printAll(['feed', '--days', '1'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    Covers 3 subscribed projects. Facts of 2099-01-01. No security facts about these
    3 projects.
    --- stderr
    Nothing new in a day. Follow more projects: relt subs add PROJECT
    === 120 columns, pipe
    Covers 3 subscribed projects. Facts of 2099-01-01. No security facts about these 3 projects.
    --- stderr
    Nothing new in a day. Follow more projects: relt subs add PROJECT
    === --json
    {"success":true,"releases":[],"catalog_date":"2099-01-01","looked_at":{"subscriptions":3,"projects":3,"security_known":0}}
    "
  `)
})

test('says that there are no subscriptions', async () => {
  const home = temporaryFolder()
  await makeSmallCatalog(home)
  expect(await printAll(['feed'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns, 120 columns, pipe
    You have no subscriptions, so no releases are listed.
    Facts of 2099-01-01.
    --- stderr
    Subscribe: relt subs add PROJECT
    === --json
    {"success":true,"releases":[],"catalog_date":"2099-01-01","looked_at":{"subscriptions":0,"projects":0,"security_known":0}}
    "
  `)
})

test('says that no report says what runs', async () => {
  const home = temporaryFolder()
  await makeSmallCatalog(home)
  await runCli(['subs', 'add', 'nginx'], { home })
  expect(await printAll(['feed', '--mine'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns, 120 columns, pipe
    No report says what runs, so nothing was compared. Facts of 2099-01-01.
    --- stderr
    Upload one: relt reports upload FILE
    === --json
    {"success":true,"catalog_date":"2099-01-01","looked_at":{"subscriptions":1,"projects":0,"security_known":0,"clusters":[],"behind_older_fixes":0},"releases":[]}
    "
  `)
})

test('needs no subscription to find what concerns what runs', async () => {
  const home = temporaryFolder()
  await makeSmallStore(home)
  const { stdout } = await runCli(['feed', '--days', '14', '--mine'], { home })
  expect(stdout).toContain('NGINX       2.0.1')
})

test('warns of an old catalog and of runs that are long ago', async () => {
  const home = temporaryFolder()
  await runCli(['subs', 'add', 'nginx'], { home })
  await uploadAll(home, [smallReports[2]])
  const now = testNow + 90 * 86_400
  for (const argv of [['feed'], ['feed', '--mine'], ['impact'], ['dashboard']]) {
    const { stdout } = await runCli([...argv, '--quiet'], { home, now })
    expect(stdout).toMatch(/Facts of 2026-\d\d-\d\d \(\d+ days\): relt catalog sync\./)
    if (argv.join(' ') !== 'feed') {
      expect(stdout).toContain('No run with an inventory of shop-prod (prod) since 2026-08-31.')
    }
    const json = JSON.parse((await runCli([...argv, '--json'], { home, now })).stdout)
    expect(json).toMatchObject({ catalog_date: expect.stringMatching(/^2026-/), looked_at: expect.anything() })
  }
})

const passed = { SEC001: { severity: 'high', items: [] } }

test('says that nothing that runs is known', async () => {
  const home = temporaryFolder()
  await makeSmallCatalog(home)
  const images = [{ fullRef: 'registry.shop.example/a:1' }, { fullRef: 'registry.shop.example/b:2' }]
  await uploadAll(home, [smallReport('2026-08-31T06:00:00Z', 1, passed, { artifacts: { images } })])
  for (const argv of [['feed', '--mine'], ['impact']]) {
    const { stdout } = await runCli(argv, { home })
    expect(stdout).toContain('Covers 1 cluster; 2 of 2 versions unknown.')
  }
})

test('says that a cluster has no inventory', async () => {
  const home = temporaryFolder()
  await makeSmallCatalog(home)
  await uploadAll(home, [smallReport('2026-08-31T06:00:00Z', 1, passed, { artifacts: {} })])
  expect((await runCli(['impact'], { home })).stdout).toContain('No run says which images are in shop-prod (prod).')
})

test('a server that says nothing of its catalog is no all-clear', async () => {
  const silent = (client: Client) =>
    ({ ...client, call: async () => ({ success: true, releases: [] }) }) as unknown as Client
  expect(await runCli(['feed'], { home, between: silent })).toEqual({
    code: 0,
    stdout: 'The server does not say how old its catalog is.\n',
    stderr: 'Nothing new in 7 days. Follow more projects: relt subs add PROJECT\n',
  })
})

test('a fix of unknown severity is "yes", and unrated as a severity', async () => {
  const home = temporaryFolder()
  await makeSmallStore(home)
  const body = JSON.stringify({ product_id: 5, type: 'app', version: '2.0.2', has_security_fix: true })
  await runCli(['api', 'POST', '/add-release', '--input', '-'], { home, stdin: body })
  await runCli(['subs', 'add', 'nginx'], { home })
  for (const argv of [['feed'], ['feed', '--mine'], ['projects', 'releases', 'nginx']]) {
    expect((await runCli(argv, { home })).stdout).toMatch(/2\.0\.2 .* yes( |$)/m)
  }
  expect((await runCli(['impact'], { home })).stdout).toMatch(/NGINX +unrated .* 2\.0\.2 /)
  const { stdout } = await runCli(['projects', 'releases', 'nginx', '2.0.2'], { home })
  expect(stdout).toContain('security: yes')
})
