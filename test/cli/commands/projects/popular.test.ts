import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import popularVerb from '../../../../src/cli/commands/projects/popular.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { folderOfFile, parse, printAll } from '../../../helpers/output.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'

const home = folderOfFile()
beforeAll(() => makeSmallCatalog(home))

test.each([
  [[], {}],
  [['-n', '50'], { limit: 50 }],
])('popular %j', async (argv, options) => {
  expect(await parse(popularVerb, argv)).toEqual([options])
})

test('more than the route gives is refused', async () => {
  await expect(parse(popularVerb, ['--limit', '51'])).rejects.toThrow('from 1 to 50')
})

test('prints the projects that most people follow', async () => {
  expect(await printAll(['projects', 'popular', '--limit', '3'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns, 120 columns
    ID  NAME                FOLLOWERS  RELEASES IN 30 DAYS  LAST RELEASE  CATEGORY
     1  Argo CD                     0                    3  2 days ago    Platform
     2  Argo Workflows              0                    0  -             Platform
     3  kube-state-metrics          0                    0  -             Platform
    === pipe
    ID  NAME                FOLLOWERS  RELEASES IN 30 DAYS  LAST RELEASE         CATEGORY
     1  Argo CD                     0                    3  2026-08-30 00:00:00  Platform
     2  Argo Workflows              0                    0  -                    Platform
     3  kube-state-metrics          0                    0  -                    Platform
    === --json
    {"success":true,"projects":[{"id":1,"name":"Argo CD","category":"Platform","cncf_status":"graduated","logo_url":null,"repo_url":"https://github.com/argoproj/argo-cd","subscriber_count":0,"last_release_at":"2026-08-30 00:00:00","releases_30d":3},{"id":2,"name":"Argo Workflows","category":"Platform","cncf_status":"graduated","logo_url":null,"repo_url":"https://github.com/argoproj/argo-workflows","subscriber_count":0,"last_release_at":null,"releases_30d":0},{"id":3,"name":"kube-state-metrics","category":"Platform","cncf_status":"open-source","logo_url":null,"repo_url":"","subscriber_count":0,"last_release_at":null,"releases_30d":0}]}
    "
  `)
})

test('begins with what runs in most clusters, then with what is followed', async () => {
  const own = temporaryFolder()
  const relt = (...argv: string[]) => runCli(argv, { home: own })
  const image = (fullRef: string) => ({ fullRef, namespace: 'x', workloadKind: 'Deployment', workloadName: 'x' })
  const upload = async (name: string, ...images: string[]) => {
    const file = join(own, `${name}.json`)
    writeFileSync(
      file,
      JSON.stringify({
        metadata: { kubernetesVersion: 'v1.33.4' },
        checks: {},
        artifacts: { images: images.map(image) },
      }),
    )
    expect((await relt('reports', 'upload', file, '--as-is', '-c', name)).code).toBe(0)
  }
  await upload('a', 'ghcr.io/kedacore/keda:2.18.3')
  await upload('b', 'ghcr.io/kedacore/keda:2.18.3', 'quay.io/argoproj/argocd:v2.10.0')
  await relt('subs', 'add', 'nginx')
  await relt('status')
  const { stdout } = await relt('projects', 'popular', '--limit', '4', '--json')
  const rows = JSON.parse(stdout).projects
  expect(rows.map(({ name, runs_in, followed }: Row) => [name, runs_in, followed])).toEqual([
    ['Kubernetes', 2, false],
    ['KEDA', 2, false],
    ['Argo CD', 1, false],
    ['NGINX', 0, true],
  ])
  expect(rows).toHaveLength(4)
  expect((await relt('projects', 'popular')).stdout).toMatch(/KEDA +in 2 clusters/)
})

interface Row {
  name: string
  runs_in: number
  followed: boolean
}
