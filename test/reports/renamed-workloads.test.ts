import { expect, test } from 'vitest'
import { compareRuns } from '../../src/reports/compare.ts'
import { type Row, scan, toRun } from './scan.ts'

const passed = ['SEC003', 'POD007', 'WRK007', 'POD005']
const workload = (name: string, more: Partial<Row> = {}): Row[] =>
  [
    { check: 'SEC003', resource: `pod/${name}-65cc8855c-ghk9m`, message: 'Container app runs as root' },
    { check: 'POD007', resource: `pod/${name}-65cc8855c-ghk9m`, value: 'ghcr.io/shop/web:latest' },
    { check: 'WRK007', resource: `deployment/${name}`, message: `${name} has no probe` },
  ].map((row) => ({ ...row, ...more }))

async function renamed(from: Row[], to: Row[]) {
  const [before, after] = await Promise.all([from, to].map((rows) => toRun(scan(rows, { passed }))))
  const found = await compareRuns(before!, after!, async () => new Set())
  return { renamed: found.renamed, new: found.new.length, resolved: found.resolved.length }
}

const hint = { namespace: 'default', from: 'web', to: 'shop-web', findings: 3 }

test('a workload with another name is told as probably renamed, beside its findings', async () => {
  expect(await renamed(workload('web'), workload('shop-web'))).toEqual({ renamed: [hint], new: 3, resolved: 3 })
})

test('a new fault of the renamed workload is told', async () => {
  const crash = { check: 'POD005', resource: 'pod/shop-web-65cc8855c-ghk9m' }
  expect(await renamed(workload('web'), [...workload('shop-web'), crash])).toEqual({
    renamed: [hint],
    new: 4,
    resolved: 3,
  })
})

test.each<[string, Row[], Row[]]>([
  ['another image', workload('web'), workload('shop-web').map((row) => ({ ...row, value: 'ghcr.io/other/api:1' }))],
  ['another namespace', workload('web'), workload('shop-web', { namespace: 'other' })],
  ['a mended fault', workload('web'), workload('shop-web').slice(1)],
  ['a workload that stays', workload('web'), [...workload('web').slice(1), ...workload('shop-web')]],
  ['two that are alike', workload('web'), [...workload('one'), ...workload('two')]],
  ['one that was there', [...workload('web'), ...workload('shop-web').slice(1)], workload('shop-web')],
])('says nothing of %s', async (_, from, to) => {
  expect((await renamed(from, to)).renamed).toEqual([])
})
