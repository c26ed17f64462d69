import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, temporaryFolder, testNow } from '../../helpers/cli.ts'
import { scan } from '../../reports/scan.ts'

const rows = [
  { check: 'SEC001', namespace: 'pay-eu', resource: 'deployment/api', message: 'one' },
  { check: 'SEC001', namespace: 'pay-eu', resource: 'pod/api-65cc8855c-ghk9m', message: 'two' },
  { check: 'SEC002', namespace: 'shop', resource: 'deployment/web', message: 'three' },
]
const rules = `owners:
  - owner: payments
    namespace: pay-*
    contact: "#payments"
  - owner: api
    workload: deployment/api
`

async function setUp() {
  const home = temporaryFolder()
  const relt = (...argv: string[]) => runCli(argv, { home })
  const file = (name: string, text: string) => {
    writeFileSync(join(home, name), text)
    return join(home, name)
  }
  await relt('reports', 'upload', file('report.json', JSON.stringify(scan(rows, { score: 60 }))), '--cluster', 'prod')
  return { relt, file }
}

test('a file says who owns which findings', async () => {
  const { relt, file } = await setUp()
  const before = await relt('owners', 'list')
  expect(before.stderr).toContain('No owners are set. Set them: relt owners set owners.yaml')
  const set = await relt('owners', 'set', file('owners.yaml', rules))
  expect(set.stdout).toBe('2 rules set. The last one that matches counts.\n')
  const own = await relt('findings', 'list', '--owner', 'api', '--json')
  expect(
    JSON.parse(own.stdout)
      .items.map(({ message }: { message: string }) => message)
      .sort(),
  ).toEqual(['one', 'two'])
  const none = await relt('findings', 'list', '--owner', '-', '--json')
  expect(JSON.parse(none.stdout).items.map(({ message }: { message: string }) => message)).toEqual(['three'])
  const groups = await relt('findings', 'list', '--group-by', 'owner', '-o', 'csv')
  expect(groups.stdout).toContain('api,')
  const [item] = JSON.parse(own.stdout).items
  expect((await relt('findings', 'show', item.fingerprint)).stdout).toMatch(/Owner +api\n/)
  expect((await relt('findings', 'top', '--owner', 'api')).stdout).toContain('With the findings of this owner alone')
})

test('what the list prints as YAML can be set again', async () => {
  const { relt, file } = await setUp()
  await relt('owners', 'set', file('owners.yaml', rules))
  const listed = await relt('owners', 'list', '-o', 'yaml')
  await relt('owners', 'set', file('empty.yaml', 'owners: []'))
  await relt('owners', 'set', file('again.yaml', listed.stdout))
  const again = JSON.parse((await relt('owners', 'list', '--json')).stdout)
  expect(again.owners).toHaveLength(2)
})

test('a file without owners is refused', async () => {
  const { relt, file } = await setUp()
  const { code, stderr } = await relt('owners', 'set', file('other.yaml', 'teams: []'))
  expect([code, stderr]).toEqual([2, expect.stringContaining('has no list of owners')])
})

test('artifacts are chosen and counted by their owners and projects', async () => {
  const { relt, file } = await setUp()
  const report = scan([
    { check: 'POD007', namespace: 'pay-eu', resource: 'pod/api-0', message: 'x', value: 'nginx:1.25.3' },
  ])
  await relt('reports', 'upload', file('images.json', JSON.stringify(report)), '--cluster', 'other')
  await relt('owners', 'set', file('owners.yaml', rules))
  const by = async (field: string) => {
    const { stdout } = await relt('reports', 'freshness', '--all', '--by', field, '--json')
    return JSON.parse(stdout).items.map(({ key }: { key: string }) => key)
  }
  expect(await by('owner')).toContain('api')
  expect((await by('project')).length).toBeGreaterThan(0)
  const own = JSON.parse((await relt('reports', 'freshness', '--all', '--owner', 'api', '--json')).stdout)
  expect(own.items.map(({ display_name }: { display_name: string }) => display_name)).toEqual(['nginx:1.25.3'])
})

test('labels of an inventory say who owns artifacts, where no rule does', async () => {
  const { relt, file } = await setUp()
  const image = (fullRef: string, namespace: string, workloadName: string) => ({
    ...{ fullRef, namespace, workloadKind: 'Deployment', workloadName },
  })
  const inventory = {
    images: [
      image('nginx:1.25.0', 'shop', 'web'),
      image('redis:7.2.0', 'shop', 'cache'),
      image('postgres:16.1', 'pay-eu', 'db'),
      image('busybox:1.36', 'free', 'job'),
    ],
    ownerLabels: [
      { namespace: 'shop', owner: 'shop-team' },
      { namespace: 'shop', workloadKind: 'Deployment', workloadName: 'cache', owner: 'cache-team' },
      { namespace: 'pay-eu', owner: 'by-label' },
    ],
  }
  await relt('owners', 'set', file('owners.yaml', rules))
  const report = scan(rows, { generatedAt: new Date(testNow * 1000).toISOString() })
  const body = file('later.json', JSON.stringify({ report, artifacts: inventory }))
  const stored = await relt('reports', 'upload', body, '--cluster', 'prod')
  expect(stored).toMatchObject({ code: 0 })
  for (const all of [[], ['--all']]) {
    const { stdout } = await relt('reports', 'freshness', ...all, '--by', 'owner', '--json')
    const groups = JSON.parse(stdout).items.map(({ key, artifacts }: { key: string; artifacts: number }) => [
      ...[key, artifacts],
    ])
    expect(Object.fromEntries(groups)).toEqual({ 'shop-team': 1, 'cache-team': 1, payments: 1, '-': 2 })
  }
  const own = JSON.parse((await relt('reports', 'freshness', '--owner', 'cache-team', '--json')).stdout)
  expect(own.items.map((item: { artifact_key: string }) => item.artifact_key)).toEqual([
    expect.stringContaining('redis'),
  ])
})

test('steps of an upgrade are chosen by their owners, in a cluster and in a fleet', async () => {
  const { relt, file } = await setUp()
  const image = (fullRef: string, namespace: string) => ({
    ...{ fullRef, namespace, workloadKind: 'Deployment', workloadName: namespace },
  })
  const images = [image('ghcr.io/kedacore/keda:2.18.3', 'pay-eu'), image('quay.io/argoproj/argocd:v2.10.0', 'cd')]
  const report = { metadata: { kubernetesVersion: 'v1.33.4' }, checks: {}, artifacts: { images } }
  await relt('reports', 'upload', file('inventory.json', JSON.stringify(report)), '--as-is', '-c', 'shop')
  const plan = async (...argv: string[]) => relt('upgrade', 'plan', '--to', '1.34', ...argv)
  expect((await plan('-c', 'shop')).stdout).not.toContain('Owner:')
  const unset = await plan('-c', 'shop', '--owner', 'payments')
  expect([unset.code, unset.stderr]).toEqual([3, expect.stringContaining('No owner is set')])

  await relt('owners', 'set', file('owners.yaml', rules))
  expect((await plan('-c', 'shop')).stdout).toMatch(/KEDA 2\.18\.3[\s\S]*Owner: payments\./)
  for (const argv of [['-c', 'shop'], ['--all']]) {
    const slugs = async (owner: string) => {
      const { stdout } = await plan(...argv, '--owner', owner, '--json')
      return JSON.parse(stdout).steps.map(({ project_slug: slug }: { project_slug: string }) => slug)
    }
    expect(await slugs('payments')).toEqual(['keda'])
    const nobody = await slugs('-')
    expect(nobody).toContain('kubernetes')
    expect(nobody).not.toContain('keda')
  }
  const own = await plan('-c', 'shop', '--owner', 'payments')
  expect(own.stdout.replace(/\s+/g, ' ')).toMatch(
    /1 of \d+ steps belongs to payments\. The verdict is about all of them\./,
  )
})
