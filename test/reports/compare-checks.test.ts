import { expect, test } from 'vitest'
import { compareRuns } from '../../src/reports/compare.ts'
import { toRun } from './scan.ts'

interface Made {
  id?: string
  name: string
  rows?: object[]
  version?: string | null
}

async function run({ id = 'SC002', name, rows = [], version = 'v0.0.4' }: Made) {
  const check = { ID: id, Name: name, Severity: 'warning', Total: rows.length, Items: rows }
  return { ...(await toRun({ metadata: { clusterName: 'shop' }, checks: { [id]: check } })), sourceVersion: version }
}

const compare = async (from: Made, to: Made) => compareRuns(await run(from), await run(to), async () => new Set())
const row = (Resource: string) => ({ Namespace: '(cluster)', Resource, Message: `${Resource} is wrong` })
const expansion = { name: 'StorageClass Prevents Volume Expansion', rows: [row('storageclass/fast')] }
const provisioners = { name: 'AKS Azure In-Tree Storage Provisioners', rows: [row('storageclass/slow')] }
const nothing = { new: [], resolved: [], regressed: [], changed: [] }

test('two checks that take turns under one id tell nothing, and hide nothing that counts', async () => {
  for (const [from, to] of [
    [expansion, provisioners],
    [provisioners, expansion],
  ] as const) {
    const found = await compare(from, to)
    expect(found).toMatchObject({ ...nothing, incomparableCount: 0 })
    expect(found.incomparable.map(({ reason }) => reason)).toEqual(['takes_turns'])
  }
})

test('within one version, a check of another name is another check', async () => {
  const [one, other] = [
    { ...expansion, id: 'X001' },
    { ...provisioners, id: 'X001' },
  ]
  expect(await compare(one, other)).toMatchObject({ ...nothing, incomparableCount: 2 })
  const unstated = { version: null }
  expect(await compare({ ...one, ...unstated }, { ...other, ...unstated })).toMatchObject({
    ...nothing,
    incomparableCount: 2,
  })
})

test('a later version may rename a check', async () => {
  const found = await compare({ ...expansion, id: 'X001' }, { ...provisioners, id: 'X001', version: 'v0.0.5' })
  expect(found).toMatchObject({
    new: [{ resource: 'storageclass/slow' }],
    resolved: [{ resource: 'storageclass/fast' }],
  })
})

test('events are listed apart, whether they come, go, or happen more often', async () => {
  const event = (name: string, Message = 'Back-off restarting') => ({
    Namespace: 'shop',
    Object: name,
    Reason: 'BackOff',
    Message,
  })
  const of = (...rows: object[]) => ({ id: 'EVENT002', name: 'Full Warning Event Log', rows })
  const web = event('Pod/web-65cc8855c-ghk9m')
  const found = await compare(of(web, event('Pod/old-0')), of(web, web, event('Pod/api-0')))
  expect(found).toMatchObject({
    ...nothing,
    events: { came: [{ resource: 'Pod/api-0' }, { resource: web.Object }], ended: 1 },
  })
})

test.each([
  ['0/8 nodes are available: 3 Insufficient cpu', '0/11 nodes are available: 1 Insufficient cpu'],
  ['1 node(s) had untolerated taint {gpu: }', '4 node(s) had untolerated taint {gpu: }'],
  [
    'Container app was using 120Ki of ephemeral-storage, in pod web-65cc8855c-ghk9m_shop',
    'Container app was using 7Ki of ephemeral-storage, in pod web-65cc8855c-rzcxj_shop',
  ],
])('ages, amounts and another pod identify no event: %s', async (before, after) => {
  const of = (Message: string) => ({
    id: 'EVENT001',
    name: 'Grouped Warning Events',
    rows: [{ Reason: 'Failed', Message, Count: 3 }],
  })
  expect(await compare(of(before), of(after))).toMatchObject({
    ...nothing,
    events: { came: [], ended: 0 },
    unchangedCount: 1,
  })
})
