import { beforeAll, expect, test } from 'vitest'
import { search as searchVerb } from '../../../../src/cli/commands/projects/noun.ts'
import { runCli } from '../../../helpers/cli.ts'
import { folderOfFile, parse, printAll } from '../../../helpers/output.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'

const home = folderOfFile()
beforeAll(() => makeSmallCatalog(home))

test.each([
  [['argo'], ['argo', {}]],
  [
    ['service mesh', '-n', '5'],
    ['service mesh', { limit: 5 }],
  ],
  [
    ['--page', '2', 'argo'],
    ['argo', { page: 2 }],
  ],
])('search %j', async (argv, expected) => {
  expect(await parse(searchVerb, argv)).toEqual(expected)
})

test('prints the projects that match', async () => {
  expect(await printAll(['projects', 'search', 'argo'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    ID  NAME            LATEST  PUBLISHED   DESCRIPTION
     1  Argo CD         v3.5.1  1 week ago  Keeps clusters in the state that a Git…
     2  Argo Workflows  -       -           Runs workflows of containers as…
    === 120 columns
    ID  NAME            LATEST  PUBLISHED   STATUS     DESCRIPTION
     1  Argo CD         v3.5.1  1 week ago  graduated  Keeps clusters in the state that a Git repository declares
     2  Argo Workflows  -       -           graduated  Runs workflows of containers as Kubernetes resources
    === pipe
    ID  NAME            LATEST  PUBLISHED            STATUS     DESCRIPTION
     1  Argo CD         v3.5.1  2026-08-20 00:00:00  graduated  Keeps clusters in the state that a Git repository declares
     2  Argo Workflows  -       -                    graduated  Runs workflows of containers as Kubernetes resources
    === --json
    {"page":1,"per_page":20,"total":2,"total_pages":1,"items":[{"id":1,"slug":"argo-cd","name":"Argo CD","description":"Keeps clusters in the state that a Git repository declares","category":"Platform","cncf_status":"graduated","homepage":"https://argo-cd.example","docs_url":"https://argo-cd.example/docs","repo_url":"https://github.com/argoproj/argo-cd","helm_chart_repo":"https://argoproj.github.io/argo-helm","logo_url":null,"updated_at":"2026-09-01 12:00:00","latest_version":"v3.5.1","latest_published_at":"2026-08-20 00:00:00"},{"id":2,"slug":"argo-workflows","name":"Argo Workflows","description":"Runs workflows of containers as Kubernetes resources","category":"Platform","cncf_status":"graduated","homepage":"https://argo-workflows.example","docs_url":"https://argo-workflows.example/docs","repo_url":"https://github.com/argoproj/argo-workflows","helm_chart_repo":null,"logo_url":null,"updated_at":"2026-09-01 12:00:00","latest_version":null,"latest_published_at":null}]}
    "
  `)
})

test('says that none matches', async () => {
  expect(await runCli(['projects', 'search', 'nothing'], { home })).toEqual({
    code: 0,
    stdout: '',
    stderr: 'No project matches "nothing".\n',
  })
})
