import { beforeAll, expect, test } from 'vitest'
import { list as listVerb } from '../../../../src/cli/commands/projects/noun.ts'
import { folderOfFile, parse, printAll } from '../../../helpers/output.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'

const home = folderOfFile()
beforeAll(() => makeSmallCatalog(home))

test.each([
  [[], {}],
  [['-s', 'graduated', '-n', '100', '-p', '2'], { status: 'graduated', limit: 100, page: 2 }],
  [['--status=open-source'], { status: 'open-source' }],
])('list %j', async (argv, options) => {
  expect(await parse(listVerb, argv)).toEqual([options])
})

test('an unknown status is refused with the known ones', async () => {
  await expect(parse(listVerb, ['--status', 'old'])).rejects.toThrow(
    'Allowed choices are graduated, incubating, sandbox, open-source.',
  )
})

test('prints the projects by name', async () => {
  expect(await printAll(['projects', 'list', '--limit', '3'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    ID  NAME                LATEST  PUBLISHED   DESCRIPTION
     1  Argo CD             v3.5.1  1 week ago  Keeps clusters in the state that a…
     2  Argo Workflows      -       -           Runs workflows of containers as…
     3  kube-state-metrics  -       -           Tells the state of Kubernetes…
    --- stderr
    Showing 3 of 5. Next: --page 2.
    === 120 columns
    ID  NAME                LATEST  PUBLISHED   STATUS       DESCRIPTION
     1  Argo CD             v3.5.1  1 week ago  graduated    Keeps clusters in the state that a Git repository declares
     2  Argo Workflows      -       -           graduated    Runs workflows of containers as Kubernetes resources
     3  kube-state-metrics  -       -           open-source  Tells the state of Kubernetes objects as metrics
    --- stderr
    Showing 3 of 5. Next: --page 2.
    === pipe
    ID  NAME                LATEST  PUBLISHED            STATUS       DESCRIPTION
     1  Argo CD             v3.5.1  2026-08-20 00:00:00  graduated    Keeps clusters in the state that a Git repository declares
     2  Argo Workflows      -       -                    graduated    Runs workflows of containers as Kubernetes resources
     3  kube-state-metrics  -       -                    open-source  Tells the state of Kubernetes objects as metrics
    --- stderr
    Showing 3 of 5. Next: --page 2.
    === --json
    {"page":1,"per_page":3,"total":5,"total_pages":2,"items":[{"id":1,"slug":"argo-cd","name":"Argo CD","description":"Keeps clusters in the state that a Git repository declares","category":"Platform","cncf_status":"graduated","homepage":"https://argo-cd.example","docs_url":"https://argo-cd.example/docs","repo_url":"https://github.com/argoproj/argo-cd","helm_chart_repo":"https://argoproj.github.io/argo-helm","logo_url":null,"updated_at":"2026-09-01 12:00:00","latest_version":"v3.5.1","latest_published_at":"2026-08-20 00:00:00"},{"id":2,"slug":"argo-workflows","name":"Argo Workflows","description":"Runs workflows of containers as Kubernetes resources","category":"Platform","cncf_status":"graduated","homepage":"https://argo-workflows.example","docs_url":"https://argo-workflows.example/docs","repo_url":"https://github.com/argoproj/argo-workflows","helm_chart_repo":null,"logo_url":null,"updated_at":"2026-09-01 12:00:00","latest_version":null,"latest_published_at":null},{"id":3,"slug":"kube-state-metrics","name":"kube-state-metrics","description":"Tells the state of Kubernetes objects as metrics","category":"Platform","cncf_status":"open-source","homepage":"https://kube-state-metrics.example","docs_url":"https://kube-state-metrics.example/docs","repo_url":"","helm_chart_repo":null,"logo_url":null,"updated_at":"2026-09-01 12:00:00","latest_version":null,"latest_published_at":null}]}
    "
  `)
})
