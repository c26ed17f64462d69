import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { scan } from '../../../reports/scan.ts'

const item = (id: string) => ({ id, name: `Name of ${id}`, total: 2, severity: 'high' })

function toReadiness(blockers: string[] | null) {
  if (blockers === null) return { summary: { skipped: true, message: 'Not an AKS cluster.' } }
  const summary = { statusLabel: blockers.length > 0 ? 'Not Ready' : 'Ready', blockerCount: blockers.length }
  return { summary, blockers: blockers.map(item) }
}

/** A store with a run a day, each with what blocks AKS Automatic; null: not assessed. */
async function makeStore(...days: (string[] | null)[]) {
  const home = temporaryFolder()
  const run = (...argv: string[]) => runCli(argv, { home })
  for (const [index, blockers] of days.entries()) {
    const file = join(home, `${index}.json`)
    const generatedAt = `2026-08-${25 + index}T06:00:00Z`
    const report = scan([{ check: 'SEC001' }], { cluster: 'shop', generatedAt, passed: ['POD001', 'POD007'] })
    writeFileSync(file, JSON.stringify({ ...report, aksAutomaticReadiness: toReadiness(blockers) }))
    expect(await run('reports', 'upload', file)).toMatchObject({ code: 0 })
  }
  return run
}

test('compare, trends and the gate say what blocks AKS Automatic', async () => {
  const run = await makeStore([], ['POD001'], ['POD001', 'POD007'])
  const compared = await run('reports', 'compare')
  expect(compared.stdout).toContain(
    'AKS Automatic: Not Ready, 1 blocker → Not Ready, 2 blockers; new: POD007 Name of POD007\n',
  )
  const { points } = JSON.parse((await run('reports', 'trends', '--checks', '--json')).stdout)
  expect(points.map(({ aks_blockers }: { aks_blockers: number }) => aks_blockers)).toEqual([0, 1, 2])
  expect((await run('reports', 'trends', '--checks')).stdout).toContain('Blockers of AKS Automatic')
  expect((await run('reports', 'trends')).stdout).not.toContain('AKS Automatic')
  const failed = await run('gate', 'check', '--fail-on', 'aks-blockers>0')
  expect(failed).toMatchObject({ code: 5, stdout: expect.stringContaining('2 blockers of AKS Automatic; 0 allowed') })
  expect(failed.stdout).toContain('Name of POD007')
  expect(await run('gate', 'check', '--fail-on', 'aks-blockers>2')).toMatchObject({ code: 0 })
})

test('a cluster that was not assessed has no good readiness', async () => {
  const run = await makeStore(['POD001'], null)
  expect((await run('reports', 'compare')).stdout).toContain('AKS Automatic: Not Ready, 1 blocker → not assessed\n')
  expect(await run('gate', 'check', '--fail-on', 'aks-blockers>9')).toMatchObject({
    code: 6,
    stdout: expect.stringContaining('The scanner did not assess AKS Automatic'),
  })
  const { points } = JSON.parse((await run('reports', 'trends', '--checks', '--json')).stdout)
  expect(points.map(({ aks_blockers }: { aks_blockers: number | null }) => aks_blockers)).toEqual([1, null])
})
