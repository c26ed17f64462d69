import { beforeAll, expect, test } from 'vitest'
import { recent as recentVerb } from '../../../../src/cli/commands/projects/noun.ts'
import { runCli } from '../../../helpers/cli.ts'
import { folderOfFile, parse, printAll } from '../../../helpers/output.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'

const home = folderOfFile()
beforeAll(() => makeSmallCatalog(home))

test.each([
  [[], {}],
  [['-n', '20', '--category', 'Networking', '--security'], { limit: 20, category: 'Networking', security: true }],
])('recent %j', async (argv, options) => {
  expect(await parse(recentVerb, argv)).toEqual([options])
})

test('prints the newest releases of all projects', async () => {
  expect(await printAll(['projects', 'recent', '--limit', '3'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    PROJECT     VERSION     TYPE  PUBLISHED   SECURITY
    NGINX       2.0.1       app   2 days ago  -
    Argo CD     v3.6.0-rc1  pre   2 days ago  -
    Kubernetes  v1.36.0     app   6 days ago  -
    === 120 columns
    PROJECT     VERSION     TYPE  PUBLISHED   SECURITY  CATEGORY
    NGINX       2.0.1       app   2 days ago  -         Platform
    Argo CD     v3.6.0-rc1  pre   2 days ago  -         Platform
    Kubernetes  v1.36.0     app   6 days ago  -         Platform
    === pipe
    PROJECT     VERSION     TYPE  PUBLISHED            SECURITY  CATEGORY
    NGINX       2.0.1       app   2026-08-30 00:00:00  -         Platform
    Argo CD     v3.6.0-rc1  pre   2026-08-30 00:00:00  -         Platform
    Kubernetes  v1.36.0     app   2026-08-26 00:00:00  -         Platform
    === --json
    {"success":true,"releases":[{"id":5,"product_id":5,"name":"NGINX","logo_url":null,"category":"Platform","cncf_status":"open-source","repo_url":"https://github.com/nginx/nginx","version":"2.0.1","type":"app","published_at":"2026-08-30 00:00:00","release_notes":"","has_security_fix":false,"security_severity":"none"},{"id":1,"product_id":1,"name":"Argo CD","logo_url":null,"category":"Platform","cncf_status":"graduated","repo_url":"https://github.com/argoproj/argo-cd","version":"v3.6.0-rc1","type":"pre","published_at":"2026-08-30 00:00:00","release_notes":"","has_security_fix":false,"security_severity":"none"},{"id":4,"product_id":4,"name":"Kubernetes","logo_url":null,"category":"Platform","cncf_status":"graduated","repo_url":"https://github.com/kubernetes/kubernetes","version":"v1.36.0","type":"app","published_at":"2026-08-26 00:00:00","release_notes":"","has_security_fix":false,"security_severity":"none"}]}
    "
  `)
})

test('says that there is none', async () => {
  for (const filter of [['--security'], ['--category', 'Storage']]) {
    expect(await runCli(['projects', 'recent', ...filter], { home })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No matching releases.\n',
    })
  }
})
