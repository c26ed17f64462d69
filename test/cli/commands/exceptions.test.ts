import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/db/open.ts'
import { runCli, temporaryFolder } from '../../helpers/cli.ts'
import { addRelease, makeSmallStore, smallReports } from '../../helpers/small-store.ts'

async function onStore() {
  const home = temporaryFolder()
  await makeSmallStore(home)
  const run = (argv: string[], options = {}) => runCli(argv, { home, ...options })
  const json = async (argv: string[]) => JSON.parse((await run([...argv, '--json'])).stdout)
  return { home, run, json }
}

interface Matched {
  cluster_name: string
  matched: number
}

const add = (...what: string[]) => ['exceptions', 'add', ...what, '--reason', 'Ticket 4711']

test('an exception is added, listed, shown and ended', async () => {
  const { run, json } = await onStore()
  expect((await run(['exceptions', 'list'])).stderr).toBe(
    'No exceptions. Add one: relt exceptions add FINDING --reason TEXT --until 90d\n',
  )
  const added = await run(add('--check', 'NET*', '--namespace', 'monitoring', '--all-clusters', '--until', '10d'))
  const id = /Added (exc_\w+) until 2026-09-11: check=NET\* namespace=monitoring in all clusters\n/.exec(
    added.stderr,
  )?.[1]
  expect(id).toBeDefined()
  await run(add('--advisory', 'CVE-2026-1234', '--cluster', 'shop-prod', '--until', '2027-01-31'))
  const table = (await run(['exceptions', 'list'])).stdout
  expect(table.replaceAll(/exc_\w{20}/g, 'exc_00000000000000000000')).toMatchInlineSnapshot(`
    "ID                        UNTIL       WHERE         MATCHES                          MATCHED  REASON       BY     SINCE
    exc_00000000000000000000  2026-09-11  all clusters  check=NET* namespace=monitoring        1  Ticket 4711  local  2026-09-01
    exc_00000000000000000000  2027-01-31  shop-prod     advisory=CVE-2026-1234                 0  Ticket 4711  local  2026-09-01
    "
  `)
  expect((await json(['exceptions', 'list', '--expiring', '14d'])).items).toMatchObject([{ exception_id: id }])
  expect((await run(['exceptions', 'expire', id!])).stderr).toBe(
    `✓ Ended ${id}: check=NET* namespace=monitoring in all clusters counts again\n`,
  )
  const shown = (await run(['exceptions', 'show', id!])).stdout
  expect(shown.replaceAll(/exc_\w{20}/g, 'exc_00000000000000000000')).toMatchInlineSnapshot(`
    "  ID       exc_00000000000000000000
      State    expired
      Matches  check=NET* namespace=monitoring
               It matches 1 in the latest runs.
      Where    all clusters
      Reason   Ticket 4711
      Until    2026-09-11
      Added    2026-09-01 12:00:00 by local
      Ended    2026-09-01 12:00:00 by local
    "
  `)
  expect((await json(['exceptions', 'list', '--expired'])).items).toMatchObject([{ exception_id: id }])
})

test('a finding is named by the beginning of its id', async () => {
  const { run, json } = await onStore()
  const [finding] = (await json(['findings', 'list', '--check', 'NET002'])).items
  const added = await json(add(finding.fingerprint.slice(0, 12), '--until', '90d'))
  expect(added).toMatchObject({ fingerprint: finding.fingerprint, check: null, expires_on: '2026-11-30' })
  const table = await run(['exceptions', 'list', '--no-color'], { columns: 80 })
  expect(table.stdout.replace(/\s+/g, ' ')).toContain('shop-prod NET002 Ticket 4711 (prod) monitoring')
  expect((await run(['findings', 'show', finding.fingerprint])).stdout).toContain(
    `until 2026-11-30 in shop-prod (prod): Ticket 4711 (server ${added.exception_id} by local)`,
  )
  expect(await run(add('0000', '--until', '90d'))).toMatchObject({ code: 3 })
})

test('the next release of the project that runs where a finding is ends its exception', async () => {
  const { run, json, home } = await onStore()
  await run([
    'catalog',
    'add',
    'Cart',
    '--repo',
    'https://github.com/shop/cart',
    '--image',
    'registry.shop.example/cart',
  ])
  const found = (await json(['findings', 'list', '--severity', 'critical'])).items
  const finding = found.find(({ resource }: { resource: string }) => resource.startsWith('pod/cart-'))
  const until = (...more: string[]) => run(add(finding.fingerprint, '--until', 'next-release', ...more))
  expect((await until()).stderr).toContain('Add --project PROJECT')
  const added = await until('--project', 'cart', '--last-day', '60d')
  expect(added.stderr).toContain('until the next release of Cart, 2026-10-31 at the latest')
  const shown = await run(['findings', 'show', finding.fingerprint])
  expect(shown.stdout).toMatch(/Accepted +until the next release of Cart, 2026-10-31 at the latest by local/)
  expect(shown.stdout).toMatch(
    /Exceptions +until the next release of Cart, 2026-10-31 at the latest in shop-prod \(prod\): /,
  )
  await addRelease(home, 'cart', 'v2.0.0')
  expect((await run(['exceptions', 'list', '--expired'])).stdout).toContain('ended 2026-09-01 with Cart v2.0.0')
  expect((await run(['status'])).stdout.replace(/\s+/g, ' ')).toContain('No longer accepted since Cart v2.0.0')
  expect((await runCli(['findings', 'show', finding.fingerprint], { home })).stdout).not.toMatch(/^ *Accepted/m)
})

test.each([
  [
    add('--check', 'NET002', '--all-clusters', '--until', 'next-release'),
    2,
    'Name the project whose next release ends the exception.',
  ],
  [
    add('--check', 'NET002', '--all-clusters', '--until', 'next-release', '--last-day', '181d', '--project', 'argo-cd'),
    2,
    '--last-day 2027-03-01 is more than 180 days away.',
  ],
  [
    add('--check', 'NET002', '--all-clusters', '--until', '9d', '--project', 'argo-cd'),
    2,
    '--project needs --until next-release.',
  ],
  [
    add('--check', 'NET002', '--all-clusters', '--until', '9d', '--last-day', '10d'),
    2,
    '--last-day needs --until next-release.',
  ],
  [add('--until', '90d'), 2, 'Name either a finding, or what the exception matches.'],
  [add('abcd', '--check', 'NET002', '--until', '90d'), 2, 'Name either a finding, or what the exception matches.'],
  [
    add('--check', 'NET002', '--all-clusters', '--until', 'soon'),
    2,
    'Use a date such as 2027-01-31, a day such as friday, or 90d, 8w or 1y.',
  ],
  [
    add('--check', 'NET002', '--all-clusters', '--until', '2026-08-31'),
    2,
    '--until 2026-08-31 is over: use a later day.',
  ],
  [
    add('--check', 'NET002', '--artifact', 'x', '--all-clusters', '--until', '1y'),
    2,
    'artifact: an exception has a fingerprint',
  ],
  [add('--check', 'NET002', '--until', '9d'), 2, 'either --cluster NAME or --all-clusters'],
  [
    add('--artifact', 'nginx:*', '--environment', 'prod', '--until', '9d'),
    2,
    'either --cluster NAME or --all-clusters',
  ],
  [
    add('abcd', '--cluster', 'shop-prod', '--all-clusters', '--until', '9d'),
    2,
    'either --cluster NAME or --all-clusters',
  ],
  [add('--check', 'NET002'), 2, "required option '--until <day>' not specified"],
  [['exceptions', 'list', '--expiring', '2y'], 2, 'Use a number of days from 1d to 365d.'],
  [['exceptions', 'show', 'exc_1'], 3, 'No exception with id exc_1.'],
])('%j is refused', async (argv, code, message) => {
  const { run, json } = await onStore()
  const refused = await run(argv)
  expect(refused).toMatchObject({ code, stdout: '' })
  expect(refused.stderr).toContain(message)
  expect(await json(['exceptions', 'list'])).toMatchObject({ total: 0 })
})

test('the gate says whether the policy file or the server accepted a finding', async () => {
  const { home, run, json } = await onStore()
  const policy = join(home, 'relt.yaml')
  const inFile = '{ check: SEC*, reason: Known, expires: 2026-12-31 }'
  writeFileSync(policy, `gate:\n  fail_on: [findings>=high]\n  exceptions:\n    - ${inFile}\n`)
  const check = ['gate', 'check', '--policy', policy]
  expect(await run(check)).toMatchObject({ code: 5 })
  const { exception_id } = await json(add('--check', 'NET002', '--all-clusters', '--until', '5d'))
  const passed = await run(check)
  expect(passed).toMatchObject({ code: 0 })
  expect(passed.stdout).toContain('(3 excepted: 2 by the policy file, 1 by the server)')
  expect(passed.stdout).toContain(`1 exception will expire within 14 days: ${exception_id} by local on 2026-09-06`)
  expect((await json(['exceptions', 'list'])).items).toMatchObject([{ check: 'NET002', matched: 1 }])

  const sarif = join(home, 'relt.sarif')
  const ci = ['ci', '-', '--policy', policy, '--sarif', sarif]
  await run(ci, { stdin: JSON.stringify(smallReports[2]) })
  const { results } = JSON.parse(readFileSync(sarif, 'utf8')).runs[0]
  const sources = results.flatMap((result: { ruleId: string; suppressions?: { properties: { source: string } }[] }) =>
    (result.suppressions ?? []).map(({ properties }) => `${result.ruleId} ${properties.source}`),
  )
  expect(sources.sort()).toEqual([
    `NET002 server ${exception_id} by local`,
    `SEC003 policy file ${policy}:4`,
    `SEC014 policy file ${policy}:4`,
  ])
})

test('an advisory that is accepted on the server is exported as OpenVEX', async () => {
  const { home, run } = await onStore()
  const db = await openDatabase(join(home, 'relt.db'))
  const { id: project_id } = await db
    .selectFrom('project')
    .select('id')
    .where('slug', '=', 'argo-cd')
    .executeTakeFirstOrThrow()
  await sql`update project set advisories_as_of = '2026-08-30' where id = ${project_id}`.execute(db)
  await sql`insert into catalog_advisory (project_id, source, id, aliases, severity, score, published_at, is_record_date, summary, databases)
    values (${project_id}, 'bundled', 'CVE-2026-5000', '[]', 'high', 8.1, 1767312000, 0, '', '["osv"]')`.execute(db)
  await sql`insert into affected_range (project_id, source, advisory_id, position, introduced, fixed)
    values (${project_id}, 'bundled', 'CVE-2026-5000', 0, '0', '3.5.2')`.execute(db)
  await db.destroy()
  const statements = async (...argv: string[]) => JSON.parse((await run(argv)).stdout).statements
  expect(await statements('gate', 'vex')).toEqual([])
  const why = ['--justification', 'vulnerable_code_not_in_execute_path']
  await run(add('--advisory', 'CVE-2026-5000', ...why, '--cluster', 'other', '--until', '1y'))
  expect(await statements('gate', 'vex')).toEqual([])
  await run(add('--advisory', 'CVE-2026-5000', ...why, '--cluster', 'shop-prod', '--until', '2026-12-31'))
  const exported = await statements('gate', 'vex')
  expect(exported).toEqual([
    {
      vulnerability: { name: 'CVE-2026-5000', aliases: [] },
      products: [{ '@id': expect.stringContaining('pkg:oci/argocd') }],
      status: 'not_affected',
      justification: 'vulnerable_code_not_in_execute_path',
      impact_statement: 'Ticket 4711',
      status_notes: 'Accepted until 2026-12-31',
    },
  ])
  const { items } = JSON.parse((await run(['exceptions', 'list', '--json'])).stdout)
  expect(items.map(({ cluster_name, matched }: Matched) => [cluster_name, matched])).toEqual([
    ['shop-prod', 1],
    ['other', 0],
  ])
})
