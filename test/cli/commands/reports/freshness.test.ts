import { beforeAll, describe, expect, test } from 'vitest'
import freshnessVerb from '../../../../src/cli/commands/reports/freshness.ts'
import { severities } from '../../../../src/contract/choices.ts'
import type { ReceivedFreshnessItem } from '../../../../src/contract/received/cluster-report.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { folderOfFile, parse, printAll, withoutColors } from '../../../helpers/output.ts'
import { makeSmallStore, smallReports, uploadAll } from '../../../helpers/small-store.ts'

const home = folderOfFile()
beforeAll(() => makeSmallStore(home))

test.each([
  [[], [undefined, {}]],
  [['crun_x'], ['crun_x', {}]],
  [['--explain'], [undefined, { explain: true }]],
  [['--registry'], [undefined, { registry: true }]],
  [
    ['-s', 'major_behind', '-c', 'prod-eu', '-e', 'dev'],
    [undefined, { status: 'major_behind', cluster: 'prod-eu', environment: 'dev' }],
  ],
])('freshness %j', async (argv, expected) => {
  expect(await parse(freshnessVerb, argv)).toEqual(expected)
})

test('--all lists the artifacts of every cluster, with the filters of one', async () => {
  const all = temporaryFolder()
  await makeSmallStore(all)
  const metadata = { clusterName: 'other', generatedAt: '2026-08-31T06:00:00Z', kubernetesVersion: 'v1.34.2' }
  const empty = {
    metadata: { ...metadata, clusterName: 'blind', kubernetesVersion: undefined },
    checks: (smallReports[2] as { checks: object }).checks,
  }
  await uploadAll(all, [{ ...smallReports[2], metadata }, empty])
  const run = (...argv: string[]) => runCli(['reports', 'freshness', ...argv], { home: all, columns: 140 })
  const { clusters, items } = JSON.parse((await run('--all', '--json')).stdout)
  expect(clusters.map(({ cluster_name }: { cluster_name: string }) => cluster_name)).toEqual([
    'blind',
    'other',
    'shop-prod',
  ])
  const one = JSON.parse((await run('-c', 'shop-prod', '--json')).stdout).items
  const of = (name: string) => items.filter(({ cluster_name }: { cluster_name: string }) => cluster_name === name)
  expect([of('shop-prod').length, of('other').length, of('blind').length]).toEqual([one.length, one.length, 0])
  const stdout = withoutColors((await run('--all', '--status', 'minor_behind')).stdout)
  expect(stdout).toMatch(/^3 clusters: \d+ outdated/)
  expect(stdout.match(/^minor /gm)?.length).toBe(
    2 * one.filter(({ status }: { status: string }) => status === 'minor_behind').length,
  )
  expect(stdout.match(/^(other|shop-prod) \(prod\)$/gm)).toEqual(['other (prod)', 'shop-prod (prod)'])
  const narrow = withoutColors((await run('--all', '--columns', 'cluster,artifact')).stdout)
  expect(narrow).toMatch(/^other +/m)
  expect(stdout).toContain('The latest run of blind/prod does not say what runs.')
  expect((await run('--all', '-c', 'x')).stderr).toContain('--all cannot be combined with --cluster.')
})

test('says what is beyond its end of life, from the day after', async () => {
  const argv = ['reports', 'freshness', '--status', 'minor_behind']
  const at = async (day: string) =>
    (await runCli(argv, { home, columns: 120, now: Date.parse(`${day}T12:00:00Z`) / 1000 })).stdout
  expect(await at('2026-10-27')).not.toContain('end of life')
  expect(await at('2026-10-28')).toContain('end of life, 1 rel')
})

test('warns of an end of support 90 days before, and of that of Kubernetes in a line of its own', async () => {
  const at = async (day: string, ...more: string[]) => {
    const now = Date.parse(`${day}T12:00:00Z`) / 1000
    const { stdout } = await runCli(['reports', 'freshness', ...more], { home, columns: 120, now })
    return withoutColors(stdout)
  }
  expect(await at('2026-07-28')).not.toContain('ends 2026-10-27, 1 rel')
  expect(await at('2026-07-29')).toContain('ends 2026-10-27, 1 rel')
  expect(await at('2026-07-28')).toContain('\nKubernetes 1.34 has upstream support until 2026-10-27.\n')
  expect(await at('2026-10-28')).toContain('\nUpstream support of Kubernetes 1.34 ended on 2026-10-27.\n')
})

test('tells programs of ends with and without a day', async () => {
  const { stdout } = await runCli(['reports', 'freshness', '--output', 'csv'], { home })
  const ends = stdout
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(',').at(-9))
  expect(ends).toEqual(['end_of_life', '2025-06-24', '', '2026-10-27', '', 'supported'])
})

test('an unknown status is refused with the known ones', async () => {
  await expect(parse(freshnessVerb, ['--status', 'old'])).rejects.toThrow(
    'Allowed choices are up_to_date, minor_behind, major_behind, unknown, managed.',
  )
})

test('prints what is behind', async () => {
  expect(await printAll(['reports', 'freshness'], home)).toMatchInlineSnapshot(`
    "
    === 80 columns
    shop-prod  3 outdated (2 major), 1 up to date, 1 unknown
    STATUS  ARTIFACT       RUNS     STEP    ADVISORIES  BEHIND
    major   nginx          1.27.3   2.0.1   ?           end of life, 2 rel, 277 d
    major   chart argo-cd  9.1.0    10.1.1              1 rel, 111 d
    minor   Kubernetes     v1.34.2          ?           ends 2026-10-27, 1 rel,…
    +2 current or unknown: --full
    Kubernetes 1.34 has upstream support until 2026-10-27.
    3 of 4 artifacts known; security facts for 0 of 2 projects.
    The oldest facts are of 2099-01-01; add --explain for the reasons.
    === 120 columns
    shop-prod  3 outdated (2 major), 1 up to date, 1 unknown
    STATUS  ARTIFACT       RUNS     STEP    NEWEST   ADVISORIES  BEHIND                         FACTS OF
    major   nginx          1.27.3   2.0.1   2.0.1    ?           end of life, 2 rel, 277 d      2099-01-01
    major   chart argo-cd  9.1.0    10.1.1  10.1.1               1 rel, 111 d                   2099-01-01
    minor   Kubernetes     v1.34.2          v1.36.0  ?           ends 2026-10-27, 1 rel, 228 d  2099-01-01
    +2 current or unknown: --full
    Kubernetes 1.34 has upstream support until 2026-10-27.
    3 of 4 artifacts known; security facts for 0 of 2 projects.
    The oldest facts are of 2099-01-01; add --explain for the reasons.
    === pipe
    shop-prod  3 outdated (2 major), 1 up to date, 1 unknown
    STATUS   ARTIFACT                         RUNS      STEP    NEWEST   ADVISORIES  BEHIND                         FACTS OF    REASON
    major    nginx                            1.27.3    2.0.1   2.0.1    ?           end of life, 2 rel, 277 d      2099-01-01
    major    chart argo-cd                    9.1.0     10.1.1  10.1.1               1 rel, 111 d                   2099-01-01
    minor    Kubernetes                       v1.34.2           v1.36.0  ?           ends 2026-10-27, 1 rel, 228 d  2099-01-01
    unknown  registry.shop.example/shop/cart  2026.8.0                   ?                                          -           No catalog project publishes registry.shop.example/shop/cart.
    current  quay.io/argoproj/argocd          v3.5.1            v3.5.1   ?                                          2099-01-01
    Kubernetes 1.34 has upstream support until 2026-10-27.
    3 of 4 artifacts known; security facts for 0 of 2 projects.
    The oldest facts are of 2099-01-01; add --explain for the reasons.
    === --json
    {"success":true,"run_id":"crun_****************","processing_status":"ready","catalog_date":"2099-01-01","summary":{"up_to_date":1,"minor_behind":1,"major_behind":2,"unknown":1,"newest_known":0,"artifacts":5,"kubernetes":1,"affected":0,"exploited":0,"compared":0,"undecided":5,"out_of_support":1,"compromised":0,"withdrawn":0,"retired":0,"in_bad_state":0,"current_in_state":0},"coverage":{"artifacts":4,"known":3,"security_known":0,"projects":2,"catalog_at":"2099-01-01","security_facts_at":null,"advisories_known":0,"advisory_facts_at":null},"items":[{"artifact_type":"image","artifact_key":"docker.io/library/nginx:1.27.3","display_name":"nginx:1.27.3","short_name":"nginx","namespace":"shop","workloads":["shop/deployment/web"],"source":"artifacts","source_product_id":5,"source_product_slug":"nginx","is_monitored":true,"current_version":"1.27.3","latest_version":"2.0.1","global_latest_version":"2.0.1","same_line_version":"1.27.4","status":"major_behind","confidence":0.98,"reason":"docker.io/library/nginx is a repository of NGINX; 1.27.3 < 2.0.1.","recommendation":"Plan the upgrade to 2.0.1. Support of NGINX 1.27 ended on 2025-06-24.","compare_mode":"exact","inherited_from_helm":false,"releases_behind":2,"days_behind":277,"security_fixes_between":0,"highest_severity_between":"none","security_facts":false,"advisories":[],"advisories_count":null,"highest_advisory_severity":null,"advisories_undecided":0,"advisories_exploited":0,"exploited_undecided":0,"highest_undecided_severity":"none","fixed_in_line":null,"fixed_in":null,"steps":{"urgent":null,"clean":null,"line":{"version":"1.27.4","image":"docker.io/library/nginx:1.27.4","via":[],"fixes":{"critical":0,"high":0,"medium":0,"low":0,"unrated":0,"exploited":0},"leaves":{"critical":0,"high":0,"medium":0,"low":0,"unrated":0,"exploited":0},"gains":[],"because":[],"out_of_support":{"cycle":"1.27","date":"2025-06-24","is_eol":true,"is_lts":false,"name":"NGINX 1.27"}},"next":{"version":"2.0.1","image":"docker.io/library/nginx:2.0.1","via":[],"fixes":{"critical":0,"high":0,"medium":0,"low":0,"unrated":0,"exploited":0},"leaves":{"critical":0,"high":0,"medium":0,"low":0,"unrated":0,"exploited":0},"gains":[],"because":[]},"newest":{"version":"2.0.1","image":"docker.io/library/nginx:2.0.1","via":[],"fixes":{"critical":0,"high":0,"medium":0,"low":0,"unrated":0,"exploited":0},"leaves":{"critical":0,"high":0,"medium":0,"low":0,"unrated":0,"exploited":0},"gains":[],"because":[]}},"step_reasons":[],"states":["unsupported"],"facts":[{"state":"unsupported","since":"2025-06-24","what":"Support of NGINX 1.27 ended on 2025-06-24.","source":null,"successors":[]}],"catalog_date":"2099-01-01","eol":{"cycle":"1.27","date":"2025-06-24","is_eol":true,"is_lts":false}},{"artifact_type":"helm_chart","artifact_key":"argo-cd@9.1.0","display_name":"argo-cd 9.1.0","short_name":"argo-cd","namespace":"argocd","workloads":[],"source":"artifacts","source_product_id":1,"source_product_slug":"argo-cd","is_monitored":true,"current_version":"9.1.0","latest_version":"10.1.1","global_latest_version":"10.1.1","same_line_version":null,"status":"major_behind","confidence":0.95,"reason":"argo-cd is a chart of Argo CD; 9.1.0 < 10.1.1.","recommendation":"Plan the upgrade to 10.1.1.","compare_mode":"exact","inherited_from_helm":false,"releases_behind":1,"days_behind":111,"security_fixes_between":0,"highest_severity_between":"none","security_facts":false,"advisories":[],"advisories_count":null,"highest_advisory_severity":null,"advisories_undecided":0,"advisories_exploited":0,"exploited_undecided":0,"highest_undecided_severity":"none","fixed_in_line":null,"fixed_in":null,"steps":{"urgent":null,"clean":null,"line":null,"next":{"version":"10.1.1","chart":"argo-cd","via":[],"fixes":{"critical":0,"high":0,"medium":0,"low":0,"unrated":0,"exploited":0},"leaves":{"critical":0,"high":0,"medium":0,"low":0,"unrated":0,"exploited":0},"gains":[],"because":[]},"newest":{"version":"10.1.1","chart":"argo-cd","via":[],"fixes":{"critical":0,"high":0,"medium":0,"low":0,"unrated":0,"exploited":0},"leaves":{"critical":0,"high":0,"medium":0,"low":0,"unrated":0,"exploited":0},"gains":[],"because":[]}},"step_reasons":[],"states":[],"facts":[],"catalog_date":"2099-01-01"},{"artifact_type":"kubernetes","artifact_key":"kubernetes@v1.34.2","display_name":"Kubernetes v1.34.2","short_name":"Kubernetes","namespace":null,"workloads":[],"source":"metadata","source_product_id":4,"source_product_slug":"kubernetes","is_monitored":true,"current_version":"v1.34.2","latest_version":"v1.36.0","global_latest_version":"v1.36.0","same_line_version":null,"status":"minor_behind","confidence":0.98,"reason":"The cluster reports its version; v1.34.2 < v1.36.0.","recommendation":"The catalog lacks 1.35, which no way to v1.36.0 may skip.","compare_mode":"exact","inherited_from_helm":false,"releases_behind":1,"days_behind":228,"security_fixes_between":0,"highest_severity_between":"none","security_facts":false,"advisories":[],"advisories_count":null,"highest_advisory_severity":null,"advisories_undecided":0,"advisories_exploited":0,"exploited_undecided":0,"highest_undecided_severity":"none","fixed_in_line":null,"fixed_in":null,"steps":{"urgent":null,"clean":null,"line":null,"next":null,"newest":null},"step_reasons":["the catalog lacks 1.35, which no way to v1.36.0 may skip"],"states":[],"facts":[],"catalog_date":"2099-01-01","eol":{"cycle":"1.34","date":"2026-10-27","is_eol":false,"is_lts":false,"by":"upstream","source":"https://kubernetes.io/releases/","as_of":"2026-09-15"}},{"artifact_type":"image","artifact_key":"registry.shop.example/shop/cart:2026.8.0","display_name":"registry.shop.example/shop/cart:2026.8.0","short_name":"registry.shop.example/shop/cart","namespace":"shop","workloads":[],"source":"artifacts","source_product_id":null,"source_product_slug":null,"is_monitored":false,"current_version":"2026.8.0","latest_version":null,"global_latest_version":null,"same_line_version":null,"status":"unknown","confidence":0,"reason":"No catalog project publishes registry.shop.example/shop/cart.","recommendation":"Follow its releases at its publisher.","compare_mode":"none","inherited_from_helm":false,"releases_behind":null,"days_behind":null,"security_fixes_between":0,"highest_severity_between":"none","security_facts":false,"advisories":[],"advisories_count":null,"highest_advisory_severity":null,"advisories_undecided":0,"advisories_exploited":0,"exploited_undecided":0,"highest_undecided_severity":"none","fixed_in_line":null,"fixed_in":null,"steps":{"urgent":null,"clean":null,"line":null,"next":null,"newest":null},"step_reasons":[],"states":[],"facts":[],"catalog_date":"2099-01-01"},{"artifact_type":"image","artifact_key":"quay.io/argoproj/argocd:v3.5.1","display_name":"quay.io/argoproj/argocd:v3.5.1","short_name":"quay.io/argoproj/argocd","namespace":"argocd","workloads":[],"source":"artifacts","source_product_id":1,"source_product_slug":"argo-cd","is_monitored":true,"current_version":"v3.5.1","latest_version":"v3.5.1","global_latest_version":"v3.5.1","same_line_version":null,"status":"up_to_date","confidence":0.98,"reason":"quay.io/argoproj/argocd is a repository of Argo CD; v3.5.1 is the newest release.","recommendation":"Nothing to do.","compare_mode":"exact","inherited_from_helm":false,"releases_behind":0,"days_behind":0,"security_fixes_between":0,"highest_severity_between":"none","security_facts":false,"advisories":[],"advisories_count":null,"highest_advisory_severity":null,"advisories_undecided":0,"advisories_exploited":0,"exploited_undecided":0,"highest_undecided_severity":"none","fixed_in_line":null,"fixed_in":null,"steps":{"urgent":null,"clean":null,"line":null,"next":null,"newest":null},"step_reasons":[],"states":[],"facts":[],"catalog_date":"2099-01-01","eol":{"cycle":"3.5","date":null,"is_eol":false,"is_lts":false}}],"cluster_name":"shop-prod","environment":"prod","seen_at":"2026-08-31 06:00:00","other_environments":[]}
    "
  `)
})

describe('on a terminal', () => {
  const large = folderOfFile()
  beforeAll(() => runCli(['reports', 'upload', 'examples/shop-3.json'], { home: large }))
  const run = (argv: string[], columns: number, rows: number) =>
    runCli(['reports', 'freshness', ...argv], { home: large, columns, rows, env: { NO_COLOR: '1' } })

  test.each([80, 120])('of %d columns, what needs work fits on a screen, a line each', async (columns) => {
    const { stdout, stderr } = await run([], columns, 24)
    const lines = `${stdout}${stderr}`.trimEnd().split('\n')
    expect(lines.length).toBeLessThan(24)
    expect(stdout.match(/^(?:major|minor|retired|frozen|unsupported) /gm)!.length).toBeGreaterThan(8)
    expect(stdout).toMatch(/^\+\d+ less urgent, \d+ current or unknown: --full$/m)
  })

  test('nothing that is left out is more urgent than what is shown', async () => {
    const { items } = JSON.parse((await runCli(['reports', 'freshness', '--json'], { home: large })).stdout)
    const all = items as ReceivedFreshnessItem[]
    // An end of support is about as urgent as an advisory of the lowest severity.
    const urgency = ({ advisories_count, highest_advisory_severity: worst, eol, states }: ReceivedFreshnessItem) => {
      const ended = eol?.is_eol === true || states?.includes('retired') === true
      return Math.max(advisories_count ? severities.indexOf(worst ?? 'none') : 0, ended ? 1 : 0)
    }
    const numbers = new Set<number>()
    for (let rows = 10; rows < 44; rows += 3) {
      const lines = (await run([], 250, rows)).stdout.split('\n')
      const shown = all.filter(({ short_name: name, current_version: version }) =>
        lines.some((line) => line.includes(` ${name} `) && line.includes(` ${version} `)),
      )
      numbers.add(shown.length)
      const least = Math.min(...shown.map(urgency))
      for (const item of all.filter((each) => !shown.includes(each)))
        expect(urgency(item), item.display_name ?? '').toBeLessThanOrEqual(least)
    }
    expect(numbers.size).toBeGreaterThan(5)
  })

  test('--full, a filter and a pipe show all', async () => {
    const names = async (argv: string[], columns?: number) =>
      (await runCli(['reports', 'freshness', ...argv], { home: large, ...(columns && { columns, rows: 24 }) })).stdout
    for (const text of [await names(['--full'], 250), await names([])]) {
      expect(text).toContain('registry.shop.example/storefront/web')
      expect(text).not.toContain('--full')
    }
    expect(await names(['--status', 'unknown'], 250)).toContain('registry.shop.example/storefront/web')
  })
})

test('--explain tells why', async () => {
  const argv = ['reports', 'freshness', '--explain']
  const { stdout } = await runCli(argv, { home, columns: 80, env: { NO_COLOR: '1' } })
  expect(stdout).toMatchInlineSnapshot(`
    "major   nginx:1.27.3  facts of 2099-01-01
      docker.io/library/nginx is a repository of NGINX; 1.27.3 < 2.0.1.
      → Plan the upgrade to 2.0.1. Support of NGINX 1.27 ended on 2025-06-24.
      ✓ NGINX by repository: docker.io/library/nginx is a repository of NGINX.
      runs in shop/deployment/web

    major   chart argo-cd 9.1.0  facts of 2099-01-01
      argo-cd is a chart of Argo CD; 9.1.0 < 10.1.1.
      → Plan the upgrade to 10.1.1.
      ✓ Argo CD by chart: argo-cd is a chart of Argo CD.

    minor   Kubernetes v1.34.2  facts of 2099-01-01
      The cluster reports its version; v1.34.2 < v1.36.0.
      1.34 has upstream support until 2026-10-27.
      → The catalog lacks 1.35, which no way to v1.36.0 may skip.
      ✓ Kubernetes by name: The cluster reports its version.

    unknown registry.shop.example/shop/cart:2026.8.0
      No catalog project publishes registry.shop.example/shop/cart.
      → Follow its releases at its publisher.

    current quay.io/argoproj/argocd:v3.5.1  facts of 2099-01-01
      quay.io/argoproj/argocd is a repository of Argo CD; v3.5.1 is the newest
      release.
      3.5 is supported; no end is announced.
      → Nothing to do.
      ✓ Argo CD by repository: quay.io/argoproj/argocd is a repository of Argo CD.

    3 of 4 artifacts known; security facts for 0 of 2 projects.
    "
  `)
})

test.each([{ columns: 80 }, { json: true }])('--status leaves the others out (%j)', async ({ columns, json }) => {
  const argv = ['reports', 'freshness', '--status', 'unknown', ...(json ? ['--json'] : [])]
  const { stdout } = await runCli(argv, { home, ...(columns && { columns }) })
  expect(stdout).toContain('registry.shop.')
  expect(stdout).not.toContain('nginx')
})
