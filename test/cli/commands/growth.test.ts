import { expect, test } from 'vitest'
import { runCli, temporaryFolder, testNow } from '../../helpers/cli.ts'
import { type Row, scan } from '../../reports/scan.ts'

const letters = 'bcdfghjklmnpqrstvwxz'

/** A Deployment of so many pods, some of which crash. */
const pods = (many: number, crashing: number): Row[] =>
  Array.from({ length: many }, (_, i) => `pod/web-65cc8855c-${letters[i]}${letters[i]}2k4`).flatMap((resource, i) => [
    { check: 'SEC003', resource, message: 'Container app runs as root' },
    ...(i < crashing ? [{ check: 'POD005', severity: 'critical', resource, message: 'CrashLoopBackOff' }] : []),
  ])

async function openDays(...days: Row[][]) {
  const home = temporaryFolder()
  let now = testNow - 3 * 86_400
  const run = (argv: string[], stdin?: string) => runCli(argv, { home, now, ...(stdin !== undefined && { stdin }) })
  for (const rows of days) {
    now += 3 * 86_400
    const report = scan(rows, { passed: ['POD010', 'POD005'], generatedAt: new Date(now * 1000).toISOString() })
    await run(['reports', 'upload', '-'], JSON.stringify(report))
  }
  return run
}

test('a known fault on more pods of a workload that grew is said, and fails only `more`', async () => {
  const run = await openDays(pods(2, 1), pods(20, 10))
  const compared = await run(['reports', 'compare'])
  expect(compared.stdout).toContain('0 new, 0 regressed')
  expect(compared.stdout).toContain('Worse on more pods: POD005 pod/web-65cc8855c-bb2k4 1 of 2 → 10 of 20')
  expect((await run(['status'])).stdout).toMatch(/Nothing new since .*; 1 known on more pods: 1 of 2 → 10 of 20/)
  const gate = (rule: string) => run(['gate', 'check', '--fail-on', rule])
  expect((await gate('new>=low')).code).toBe(0)
  expect((await gate('regressed>=low')).code).toBe(0)
  expect((await gate('more>=high')).code).toBe(5)
})

test.each([
  ['a larger share of pods', pods(2, 1), pods(4, 3)],
  ['a workload that was well', pods(4, 0), pods(4, 1)],
])('%s is no growth', async (_, before, after) => {
  const run = await openDays(before, after)
  expect((await run(['reports', 'compare'])).stdout).not.toContain('Worse on more pods')
  expect((await run(['status'])).stdout).not.toContain('on more pods')
  const rule = ['--fail-on', 'new>=critical', '--fail-on', 'regressed>=critical']
  expect((await run(['gate', 'check', ...rule])).code).toBe(5)
})
