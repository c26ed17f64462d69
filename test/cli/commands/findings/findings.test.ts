import { beforeAll, describe, expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { folderOfFile } from '../../../helpers/output.ts'
import { makeSmallCatalog, smallReport, smallReports, uploadAll } from '../../../helpers/small-store.ts'

/** One cluster with three runs. */
const home = folderOfFile()
/** The same, and another cluster. */
const two = folderOfFile()

const quota = { Namespace: 'shop', Resource: 'namespace/shop', Message: 'No ResourceQuota' }
const other = smallReport('2026-07-01T06:00:00Z', 80, { NS002: { severity: 'info', items: [quota] } })

beforeAll(async () => {
  await makeSmallCatalog(home)
  await uploadAll(home, smallReports)
  await makeSmallCatalog(two)
  await uploadAll(two, [...smallReports, { ...other, metadata: { ...other.metadata, clusterName: 'blue' } }])
})

const run = (argv: string, options: { home?: string; columns?: number; env?: Record<string, string> } = {}) =>
  runCli(argv.split(' '), { home, ...options })

describe('findings list', () => {
  test('shows the only cluster at 80 columns', async () => {
    const { stdout, stderr, code } = await run('findings list --since 2d --no-color', { columns: 80 })
    expect(code).toBe(0)
    expect(stderr).toBe('')
    expect(stdout).toMatchInlineSnapshot(`
      "5 findings in shop-prod (prod)
      ID            SEVERITY  STATE      CHECK   RESOURCE           MESSAGE
      e04574d525fa  critical  regressed  NET002  monitoring servi…  Reachable from…
      2d236dfeec70  critical  open       SEC003  shop pod/cart-5d…  Container cart…
      4122bdcf0236  critical  new        SEC014  shop pod/cart-5d…  Registry of conta…
      1d0a3e9a469b  medium    regressed  NS002   shop namespace/s…  No ResourceQuota
      c1c8644068ef  medium    open       WRK007  shop deployment/…  readiness, livene…
      Covers one run, scanned 1 day ago.
      "
    `)
  })

  test('names the clusters, and the value of findings that only differ in it', async () => {
    const home = temporaryFolder()
    const binding = (Value: string) => ({
      Resource: 'ClusterRoleBinding/admins',
      Message: 'Binds cluster-admin',
      Value,
    })
    const checks = { RBAC002: { severity: 'critical', items: [binding('User/ada'), binding('User/grace')] } }
    const red = smallReport('2026-08-31T06:00:00Z', 80, checks)
    await uploadAll(home, [...smallReports, { ...red, metadata: { ...red.metadata, clusterName: 'red' } }])
    const { stdout } = await run('findings list --all --check RBAC002 --no-color', { home, columns: 80 })
    expect(stdout).toMatchInlineSnapshot(`
      "2 findings in 2 clusters
      ID            SEVERITY  CLUSTER  CHECK    RESOURCE            MESSAGE
      ab418ebc07ff  critical  red      RBAC002  ClusterRoleBindin…  Binds cluster-adm…
      44112d9d6347  critical  red      RBAC002  ClusterRoleBindin…  Binds cluster-adm…
      Covers 2 runs of 2 clusters; the oldest scanned 1 day ago.
      "
    `)
    const narrow = await run('findings list --all --check RBAC002 --no-color', { home, columns: 60 })
    expect(narrow.stdout).toMatchInlineSnapshot(`
      "2 findings in 2 clusters
      ID          ab418ebc07ff
      SEVERITY    critical
      CLUSTER     red
      CHECK       RBAC002
      RESOURCE    ClusterRoleBinding/admins
      MESSAGE     Binds cluster-admin: User/ada
      FIRST SEEN  2026-08-31

      ID          44112d9d6347
      SEVERITY    critical
      CLUSTER     red
      CHECK       RBAC002
      RESOURCE    ClusterRoleBinding/admins
      MESSAGE     Binds cluster-admin: User/grace
      FIRST SEEN  2026-08-31

      Covers 2 runs of 2 clusters; the oldest scanned 1 day ago.
      "
    `)
  })

  test('prints whole cells to a pipe', async () => {
    const { stdout } = await run('findings list --since 2d --severity critical --check SEC014')
    expect(stdout.split('\n')[2]).toMatch(
      /^[0-9a-f]{32} {2}critical {2}new {4}SEC014 {2}shop pod\/cart-5d9c7b8f66-k2j4x {2}Registry/,
    )
  })

  test('groups findings', async () => {
    const { stdout } = await run('findings list --group-by severity -o csv')
    expect(stdout).toContain('critical,3,3')
  })

  test('says what an empty list does not cover', async () => {
    const { stdout, stderr, code } = await run('findings list --all --search nothing', { home: two })
    expect(code).toBe(0)
    expect(stderr).toBe('No open finding matches these filters in 2 runs of 2 clusters.\n')
    expect(stdout).toContain('Covers 2 runs of 2 clusters; the oldest scanned 2 months ago.')
    expect(stdout).toContain('Scan over 30 days old: blue (prod, kubebuddy) of 2026-07-01.')
  })

  test('asks for a cluster where there are several, and names them', async () => {
    const { stderr, code } = await run('findings list', { home: two })
    expect(code).toBe(2)
    expect(stderr).toBe(
      'error: There are 2 clusters: blue, shop-prod.\nhint: Choose one with -c NAME or `relt config set cluster NAME`, or all with --all.\n',
    )
    const current = await run('findings list --json', { home: two, env: { RELT_CLUSTER: 'blue/prod' } })
    expect(JSON.parse(current.stdout)).toMatchObject({ total: 1, items: [{ cluster_name: 'blue' }] })
    const all = await run('findings list --all --json', { home: two })
    expect(JSON.parse(all.stdout).looked_at.clusters).toBe(2)
  })

  test('takes a run by its place', async () => {
    const { stdout } = await run('findings list latest~2 --json')
    const { total, items } = JSON.parse(stdout)
    expect([total, items[0].seen_at]).toEqual([6, '2026-08-12 06:00:00'])
  })

  test.each([
    ['findings list --severity loud', 'severity'],
    ['findings list --state gone', 'state'],
    ['findings list --all --cluster blue', 'cannot be combined'],
    ['findings list latest --all', 'cannot be combined'],
  ])('refuses %s', async (argv, reason) => {
    const { stderr, code } = await run(argv)
    expect(code).toBe(2)
    expect(stderr).toContain(reason)
  })

  test('says so without a report', async () => {
    const empty = await run('findings list', { home: `${home}/empty` })
    expect([empty.code, empty.stderr]).toEqual([
      3,
      'error: No reports yet.\nhint: Upload one: relt reports upload FILE\n',
    ])
  })
})

describe('findings show', () => {
  test('shows a finding by the id of the list', async () => {
    const listed = await run('findings list --check SEC014 --json')
    const [{ fingerprint }] = JSON.parse(listed.stdout).items
    const { stdout, code } = await run(`findings show ${fingerprint.slice(0, 12)}`)
    expect(code).toBe(0)
    for (const part of [
      fingerprint,
      'SEC014 Check SEC014',
      'shop pod/cart-5d9c7b8f66-k2j4x',
      'shop-prod  open   2026-08-31',
    ])
      expect(stdout).toContain(part)
    expect(stdout).toContain('The report has no recommendation.')
  })

  test('does not know other ids', async () => {
    const { stderr, code } = await run('findings show 00000000000000000000000000000000')
    expect([code, stderr]).toEqual([
      3,
      'error: No finding has an id that begins with 00000000000000000000000000000000.\nhint: List them with their ids: relt findings list\n',
    ])
  })
})

describe('findings top', () => {
  test('lists checks by the points that they cost', async () => {
    const { stdout, code } = await run('findings top')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ *\+\d+\.\d\d +NET002 +Check NET002 +critical/m)
    expect(stdout).toContain(
      "Score 80. The reports have no weights, so points follow from relt's formula (docs/formats.md).",
    )
  })
})

describe('findings paths', () => {
  const path = { id: 'RISK001', name: 'Isolation', status: 'triggered', fixPriority: 'urgent', summary: 'A path.' }
  const evidence = [
    {
      checkId: 'SEC003',
      checkName: 'Root',
      findingCount: 2,
      sampleFindings: [{ Namespace: 'shop', Resource: 'pod/a' }],
    },
  ]

  test('does not take silence of a report for an all-clear', async () => {
    const { stdout, stderr, code } = await run('findings paths')
    expect([code, stderr]).toEqual([0, 'No report lists risk paths.\n'])
    expect(stdout).toContain('The report does not list risk paths, so whether there are any is unknown.')
  })

  test('shows paths with their evidence, and the readiness for AKS Automatic', async () => {
    const home = temporaryFolder()
    const readiness = {
      summary: { statusLabel: 'Not Ready', blockerCount: 1, warningCount: 2 },
      blockers: [{ id: 'POD007', name: 'Tags', total: 4, recommendation: 'Pin it.' }],
    }
    const more = { directRiskPaths: [{ ...path, evidence }], aksAutomaticReadiness: readiness }
    await uploadAll(home, [
      smallReport('2026-08-31T06:00:00Z', 80, { SEC003: { severity: 'critical', items: [quota] } }, more),
    ])
    const { stdout } = await run('findings paths', { home })
    expect(stdout).toMatchInlineSnapshot(`
      "RISK001 Isolation  shop-prod
        triggered, priority urgent
        A path.
        SEC003 Root: 2 findings
          such as shop pod/a

      AKS Automatic  shop-prod: Not Ready, 1 blocker, 2 warnings
        Blocker POD007 Tags: 4 findings. Pin it.
      Covers one run, scanned 1 day ago.
      "
    `)
    expect((await run('reports show', { home })).stdout).toContain('Risk paths     1 open: RISK001 Isolation')
    expect((await run('findings paths -o csv', { home })).stdout).toContain(
      'shop-prod,prod,direct,RISK001,Isolation,triggered,urgent',
    )
  })
})
