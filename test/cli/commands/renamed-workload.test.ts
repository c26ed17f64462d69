import { expect, test } from 'vitest'
import { runCli, temporaryFolder, testNow } from '../../helpers/cli.ts'
import { type Row, scan } from '../../reports/scan.ts'

const day = 86_400

/** A hook, made anew by each deploy, with its pod. */
function hook(name: string, suffix: string): Row[] {
  const pod = { namespace: 'shop', severity: 'critical', resource: `pod/${name}-${suffix}` }
  return [
    { ...pod, check: 'SEC003', message: 'Container app runs as root' },
    { ...pod, check: 'SEC004', message: 'Container app is privileged' },
    { ...pod, check: 'SEC006', message: 'Container app has no securityContext' },
    { ...pod, check: 'SEC009', message: 'Container app does not drop ALL' },
    { ...pod, check: 'SEC011', message: 'Container app runs as UID 0' },
  ]
}

function openCluster() {
  const home = temporaryFolder()
  let now = testNow
  const run = (argv: string[], stdin?: string) => runCli(argv, { home, now, ...(stdin !== undefined && { stdin }) })
  return {
    run,
    /** The next day's pipeline, or upload if it has no rules. */
    async deploy(rows: Row[], ...failOn: string[]) {
      now += day
      const report = scan(rows, { passed: ['POD010', 'WRK007'], generatedAt: new Date(now * 1000).toISOString() })
      const rules = failOn.flatMap((rule) => ['--fail-on', rule])
      return run([...(failOn.length > 0 ? ['ci'] : ['reports', 'upload']), '-', ...rules], JSON.stringify(report))
    },
    async exceptAll() {
      const { items } = JSON.parse((await run(['findings', 'list', '--json'])).stdout)
      const ids: string[] = []
      for (const { fingerprint } of items) {
        const added = await run(['exceptions', 'add', fingerprint, '--reason', 'known', '--until', '90d', '--json'])
        ids.push(JSON.parse(added.stdout).exception_id)
      }
      return ids
    },
  }
}

const rule = 'findings>=critical'

test('an excepted hook with a new name is undecided once, and quiet after it was confirmed', async () => {
  const { run, deploy, exceptAll } = openCluster()
  await deploy(hook('app-migrate-41', 'x7k2p'))
  const ids = await exceptAll()
  expect(await deploy(hook('app-migrate-41', 'b4z9q'), rule)).toMatchObject({ code: 0 })
  const open = await deploy(hook('app-migrate-42', 'c5v8w'), rule)
  expect(open).toMatchObject({ code: 6 })
  expect(open.stdout).toContain('relt exceptions confirm')
  for (const id of ids) expect(await run(['exceptions', 'confirm', id])).toMatchObject({ code: 0 })
  const { items } = JSON.parse((await run(['exceptions', 'list', '--json'])).stdout)
  expect(new Set(items.map(({ resource }: { resource: string }) => resource))).toEqual(new Set(['pod/app-migrate-*']))
  for (const number of [42, 43, 44])
    expect(await deploy(hook(`app-migrate-${number}`, 'd6t7s'), rule)).toMatchObject({ code: 0 })
})

test('a stranger with another fault is not covered, and what was never renamed is not confirmed', async () => {
  const { run, deploy, exceptAll } = openCluster()
  await deploy(hook('app-migrate-41', 'x7k2p'))
  const [id] = await exceptAll()
  expect((await run(['exceptions', 'confirm', id!])).stderr).toContain('has been renamed since it was added')
  const stranger = hook('reports', 'b4z9q').map((row) => ({ ...row, message: `${row.message}, and is worse` }))
  expect(await deploy(stranger, rule)).toMatchObject({ code: 5 })
})

test('names without a word in common are not confirmed: the exception would hold for every pod', async () => {
  const { run, deploy, exceptAll } = openCluster()
  await deploy(hook('amber-marten', 'x7k2p'))
  const [id] = await exceptAll()
  expect(await deploy(hook('golden-lynx', 'b4z9q'), rule)).toMatchObject({ code: 6 })
  const refused = await run(['exceptions', 'confirm', id!])
  expect(refused.stderr).toContain('no word of their names in common')
  const { items } = JSON.parse((await run(['exceptions', 'list', '--json'])).stdout)
  expect(items.map(({ resource }: { resource: string | null }) => resource)).toEqual(items.map(() => null))
})

test('a renamed workload is no news, and is told', async () => {
  const { deploy, run } = openCluster()
  await deploy(hook('app-migrate-41', 'x7k2p'), 'new>=critical')
  const quiet = await deploy(hook('app-migrate-42', 'b4z9q'), 'new>=critical')
  expect(quiet).toMatchObject({ code: 0 })
  expect(quiet.stdout).toContain('renamed: 1 workload, 1 of them probably, 5 findings')
  expect((await run(['reports', 'compare'])).stdout).toContain('Renamed: 1 workload, 5 findings')
})
