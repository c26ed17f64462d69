import { beforeAll, expect, test } from 'vitest'
import { createCommand } from '../../src/cli/feed.ts'
import { runCli } from '../helpers/cli.ts'
import { folderOfFile, parse, printAll } from '../helpers/output.ts'
import { makeSmallStore } from '../helpers/small-store.ts'

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
  expect(await parse(createCommand, argv)).toEqual([options])
})

test('prints the releases of the projects that are subscribed to', async () => {
  expect(await printAll(['feed', '--days', '14'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns, 120 columns
    PROJECT     VERSION  TYPE  PUBLISHED   SECURITY
    NGINX       2.0.1    app   2 days ago  -
    Kubernetes  v1.36.0  app   6 days ago  -
    Argo CD     10.1.1   helm  1 week ago  -
    Argo CD     v3.5.1   app   1 week ago  -
    === pipe
    PROJECT     VERSION  TYPE  PUBLISHED            SECURITY
    NGINX       2.0.1    app   2026-08-30 00:00:00  -
    Kubernetes  v1.36.0  app   2026-08-26 00:00:00  -
    Argo CD     10.1.1   helm  2026-08-21 00:00:00  -
    Argo CD     v3.5.1   app   2026-08-20 00:00:00  -
    === --json
    {"success":true,"releases":[{"product_id":5,"name":"NGINX","version":"2.0.1","published_at":"2026-08-30 00:00:00","type":"app","has_security_fix":false},{"product_id":4,"name":"Kubernetes","version":"v1.36.0","published_at":"2026-08-26 00:00:00","type":"app","has_security_fix":false},{"product_id":1,"name":"Argo CD","version":"10.1.1","published_at":"2026-08-21 00:00:00","type":"helm","has_security_fix":false},{"product_id":1,"name":"Argo CD","version":"v3.5.1","published_at":"2026-08-20 00:00:00","type":"app","has_security_fix":false}]}
    "
  `)
})

test('prints those that concern what runs', async () => {
  expect(await printAll(['feed', '--days', '14', '--mine'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns, 120 columns
    PROJECT     VERSION  TYPE  PUBLISHED   SECURITY  CONCERNS
    NGINX       2.0.1    app   2 days ago  -         1 cluster
    Kubernetes  v1.36.0  app   6 days ago  -         1 cluster
    Argo CD     10.1.1   helm  1 week ago  -         1 cluster
    === pipe
    PROJECT     VERSION  TYPE  PUBLISHED            SECURITY  CONCERNS
    NGINX       2.0.1    app   2026-08-30 00:00:00  -         1 cluster
    Kubernetes  v1.36.0  app   2026-08-26 00:00:00  -         1 cluster
    Argo CD     10.1.1   helm  2026-08-21 00:00:00  -         1 cluster
    === --json
    {"success":true,"releases":[{"product_id":5,"name":"NGINX","version":"2.0.1","published_at":"2026-08-30 00:00:00","type":"app","has_security_fix":false,"release_id":8,"affects":{"clusters":1,"workloads":1,"artifacts":1}},{"product_id":4,"name":"Kubernetes","version":"v1.36.0","published_at":"2026-08-26 00:00:00","type":"app","has_security_fix":false,"release_id":6,"affects":{"clusters":1,"workloads":0,"artifacts":1}},{"product_id":1,"name":"Argo CD","version":"10.1.1","published_at":"2026-08-21 00:00:00","type":"helm","has_security_fix":false,"release_id":4,"affects":{"clusters":1,"workloads":0,"artifacts":1}}]}
    "
  `)
})

test('says that there is nothing new', async () => {
  expect(await runCli(['feed', '--days', '1'], { home })).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Nothing new in a day. To follow more projects: relt subs add PROJECT\n',
  })
})
