import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import listVerb from '../../../../src/cli/commands/reports/list.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { folderOfFile, parse, printAll } from '../../../helpers/output.ts'
import { makeSmallStore } from '../../../helpers/small-store.ts'

const home = folderOfFile()
beforeAll(() => makeSmallStore(home))

test.each([
  [[], {}],
  [['-c', 'prod-eu', '-e', 'dev'], { cluster: 'prod-eu', environment: 'dev' }],
  [['--cluster', 'prod-eu', '--environment', 'dev'], { cluster: 'prod-eu', environment: 'dev' }],
  [['-n', '5', '-p', '2'], { limit: 5, page: 2 }],
  [['--limit=5', '--page=2'], { limit: 5, page: 2 }],
])('list %j', async (argv, options) => {
  expect(await parse(listVerb, argv)).toEqual([options])
})

test.each(['0', '-1', '1.5', 'x', '', '1e3', '9999999999'])('a limit of "%s" is refused', async (limit) => {
  await expect(parse(listVerb, ['--limit', limit])).rejects.toThrow('Use a whole number from 1 to 100.')
})

test('prints the runs, newest first', async () => {
  expect(await printAll(['reports', 'list', '--limit', '2'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    shop-prod (prod)
    RUN                    SCANNED     SCORE  FAILED  FINDINGS  KUBERNETES
    crun_****************  1 day ago      80     5/5         5  v1.34.2
    crun_****************  1 week ago   72.5     3/5         4  v1.34.2
    --- stderr
    Showing 2 of 3. Next: --page 2.
    === 120 columns
    shop-prod (prod)
    RUN                    SCANNED     SCORE  FAILED  FINDINGS  CRITICAL  KUBERNETES  IMAGES
    crun_****************  1 day ago      80     5/5         5         3  v1.34.2          3
    crun_****************  1 week ago   72.5     3/5         4         2  v1.34.2          3
    --- stderr
    Showing 2 of 3. Next: --page 2.
    === pipe
    shop-prod (prod)
    RUN                    SCANNED              SCORE  FAILED  FINDINGS  CRITICAL  KUBERNETES  IMAGES
    crun_****************  2026-08-31 06:00:00     80     5/5         5         3  v1.34.2          3
    crun_****************  2026-08-24 06:00:00   72.5     3/5         4         2  v1.34.2          3
    --- stderr
    Showing 2 of 3. Next: --page 2.
    === --json
    {"page":1,"per_page":2,"total":3,"total_pages":2,"items":[{"run_id":"crun_****************","cluster_name":"shop-prod","environment":"prod","provider":null,"region":null,"source":"relt","source_version":null,"kubernetes_version":"v1.34.2","score":80,"score_source":"scanner","format":"kubebuddy","total_checks":5,"failed_checks":5,"passed_checks":0,"is_empty":false,"vulnerability_scan":false,"not_run_checks":0,"gate":null,"findings":{"total":5,"critical":3,"high":0,"medium":2,"low":0,"info":0,"unknown":0},"suppressed_findings":0,"artifacts":{"images":3,"helm_charts":1,"apps":0},"started_at":null,"finished_at":"2026-08-31 06:00:00","duration_seconds":null,"ingested_at":"2026-09-01 12:00:00","processing_status":"ready","size_bytes":1545,"ci":null,"scope_gaps":0,"gaps_key":""},{"run_id":"crun_****************","cluster_name":"shop-prod","environment":"prod","provider":null,"region":null,"source":"relt","source_version":null,"kubernetes_version":"v1.34.2","score":72.5,"score_source":"scanner","format":"kubebuddy","total_checks":5,"failed_checks":3,"passed_checks":2,"is_empty":false,"vulnerability_scan":false,"not_run_checks":0,"gate":null,"findings":{"total":4,"critical":2,"high":0,"medium":1,"low":0,"info":1,"unknown":0},"suppressed_findings":0,"artifacts":{"images":3,"helm_charts":1,"apps":0},"started_at":null,"finished_at":"2026-08-24 06:00:00","duration_seconds":null,"ingested_at":"2026-09-01 12:00:00","processing_status":"ready","size_bytes":1415,"ci":null,"scope_gaps":0,"gaps_key":""}],"environments":["prod"]}
    "
  `)
})

test('--quiet leaves the note out that there is more', async () => {
  const { stderr } = await runCli(['reports', 'list', '--limit', '2', '--quiet'], { home, columns: 80 })
  expect(stderr).toBe('')
})

test('says that a cluster has no reports', async () => {
  expect(await runCli(['reports', 'list', '--cluster', 'other'], { home })).toEqual({
    code: 3,
    stdout: '',
    stderr: 'error: No reports for cluster other.\nhint: Clusters: shop-prod.\n',
  })
})

test('a misspelt cluster is named as it was probably meant, and a name takes its environment', async () => {
  const near = await runCli(['reports', 'list', '--cluster', 'shop-prd'], { home })
  expect([near.code, near.stderr]).toEqual([
    3,
    'error: No reports for cluster shop-prd.\nhint: Did you mean shop-prod?\n',
  ])
  expect((await runCli(['reports', 'list', '-c', 'shop-prod/prod'], { home })).stdout).toContain('crun_')
  const stage = await runCli(['reports', 'show', '-c', 'shop-prod/dev'], { home })
  expect(stage.stderr).toContain('hint: Its environments: prod.')
})

test('says that an environment has no reports', async () => {
  const { stderr } = await runCli(['reports', 'list', '--environment', 'other'], { home })
  expect(stderr).not.toContain('No reports yet')
})

test('names the scanner where a cluster has reports of several', async () => {
  const home = temporaryFolder()
  await makeSmallStore(home)
  const file = fileURLToPath(new URL('../../../fixtures/formats/popeye-sections.json', import.meta.url))
  await runCli(['reports', 'upload', file, '--cluster', 'shop-prod'], { home })
  const list = async (columns?: number) =>
    (await runCli(['reports', 'list', '-c', 'shop-prod'], { home, ...(columns && { columns }) })).stdout
  expect(await list()).toMatch(/SCANNED +SCANNER +SCORE/)
  expect((await list()).match(/ (popeye|kubebuddy) +[\d.]+ /g)).toHaveLength(4)
  expect(await list(80)).not.toContain('SCANNER')
})
