import { beforeAll, expect, test } from 'vitest'
import showVerb from '../../../../src/cli/commands/projects/show.ts'
import { runCli } from '../../../helpers/cli.ts'
import { folderOfFile, parse, printAll } from '../../../helpers/output.ts'
import { makeSmallCatalog } from '../../../helpers/small-store.ts'

const home = folderOfFile()
beforeAll(() => makeSmallCatalog(home))

test('show takes a name or an id', async () => {
  expect(await parse(showVerb, ['argo-cd'])).toEqual(['argo-cd'])
})

test('prints a project with its newest releases', async () => {
  expect(await printAll(['projects', 'show', 'argo-cd'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns, 120 columns
    Argo CD (1)
    Keeps clusters in the state that a Git repository declares

      Category        Platform, graduated
      Home            https://argo-cd.example
      Docs            https://argo-cd.example/docs
      Repository      https://github.com/argoproj/argo-cd
      Charts          https://argoproj.github.io/argo-helm
      Releases        v3.5.1 (1 week ago), v3.4.8 (1 month ago)
      Chart releases  10.1.1 (1 week ago), 9.1.0 (4 months ago)
      Pre-releases    v3.6.0-rc1 (2 days ago)
    === pipe
    Argo CD (1)
    Keeps clusters in the state that a Git repository declares

      Category        Platform, graduated
      Home            https://argo-cd.example
      Docs            https://argo-cd.example/docs
      Repository      https://github.com/argoproj/argo-cd
      Charts          https://argoproj.github.io/argo-helm
      Releases        v3.5.1 (2026-08-20 00:00:00), v3.4.8 (2026-07-15 00:00:00)
      Chart releases  10.1.1 (2026-08-21 00:00:00), 9.1.0 (2026-05-02 00:00:00)
      Pre-releases    v3.6.0-rc1 (2026-08-30 00:00:00)
    === --json
    {"product":{"id":1,"slug":"argo-cd","name":"Argo CD","description":"Keeps clusters in the state that a Git repository declares","category":"Platform","cncf_status":"graduated","homepage":"https://argo-cd.example","docs_url":"https://argo-cd.example/docs","repo_url":"https://github.com/argoproj/argo-cd","helm_chart_repo":"https://argoproj.github.io/argo-helm","logo_url":null,"releases":{"app":[{"id":2,"product_id":1,"version":"v3.5.1","type":"app","release_notes":"","url":"https://releases.example/tag/v3.5.1","published_at":"2026-08-20 00:00:00","has_security_fix":false,"security_severity":"none","chart_name":null,"created_at":"2026-08-22 00:00:00","cve_list":null,"security_summary":null,"cve_links":null,"app_version":null},{"id":3,"product_id":1,"version":"v3.4.8","type":"app","release_notes":"","url":"https://releases.example/tag/v3.4.8","published_at":"2026-07-15 00:00:00","has_security_fix":false,"security_severity":"none","chart_name":null,"created_at":"2026-08-22 00:00:00","cve_list":null,"security_summary":null,"cve_links":null,"app_version":null}],"helm":[{"id":4,"product_id":1,"version":"10.1.1","type":"helm","release_notes":"","url":"https://releases.example/argo-cd/10.1.1","published_at":"2026-08-21 00:00:00","has_security_fix":false,"security_severity":"none","chart_name":"argo-cd","created_at":"2026-08-22 00:00:00","cve_list":null,"security_summary":null,"cve_links":null,"app_version":null},{"id":5,"product_id":1,"version":"9.1.0","type":"helm","release_notes":"","url":"https://releases.example/argo-cd/9.1.0","published_at":"2026-05-02 00:00:00","has_security_fix":false,"security_severity":"none","chart_name":"argo-cd","created_at":"2026-08-22 00:00:00","cve_list":null,"security_summary":null,"cve_links":null,"app_version":null}],"pre":[{"id":1,"product_id":1,"version":"v3.6.0-rc1","type":"pre","release_notes":"","url":"https://releases.example/tag/v3.6.0-rc1","published_at":"2026-08-30 00:00:00","has_security_fix":false,"security_severity":"none","chart_name":null,"created_at":"2026-08-22 00:00:00","cve_list":null,"security_summary":null,"cve_links":null,"app_version":null}]}}}
    "
  `)
})

test.each([
  ['argo-cd', 'Argo CD'],
  ['Argo CD', 'Argo CD'],
  ['ARGO-CD', 'Argo CD'],
  ['kube state metrics', 'kube-state-metrics'],
  ['1', 'Argo CD'],
])('finds by "%s" the project %s', async (typed, name) => {
  const { stdout, stderr } = await runCli(['projects', 'show', typed, '--json'], { home })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout).product.name).toBe(name)
})

test.each(['proxy', 'nginx/nginx', 'Platform'])('a word that is in no name (%s) names no project', async (typed) => {
  const { code, stderr } = await runCli(['projects', 'show', typed], { home })
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: `error: No project named "${typed}".\nhint: Search for it: relt projects search TEXT\n`,
  })
})

test('asks which one is meant', async () => {
  expect(await runCli(['projects', 'show', 'argo'], { home })).toEqual({
    code: 2,
    stdout: '',
    stderr: 'error: "argo" matches several projects.\nhint: Choose one: argo-cd, argo-workflows\n',
  })
})
