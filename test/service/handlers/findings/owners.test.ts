import { expect, test } from 'vitest'
import { openService } from '../../../operations/service.ts'

const namespaces = Array.from({ length: 40 }, (_, i) => `ns-${i}`)
const rows = Array.from({ length: 1000 }, (_, i) => ({
  check: `SEC00${1 + (i % 3)}`,
  namespace: namespaces[i % 40]!,
  resource: `deployment/app-${i}`,
  message: `message ${i}`,
}))

test('a thousand findings in forty namespaces have their owners, and the others are a list of their own', async () => {
  const { call, upload } = await openService()
  await upload(rows, { body: { cluster: { name: 'prod' } } })
  expect((await call('listFindings', {})).items.every(({ owners }) => owners?.length === 0)).toBe(true)
  await call('setOwners', {
    body: {
      owners: [
        { owner: 'even', namespace: 'ns-*0', contact: '#even' },
        { owner: 'one', namespace: 'ns-1' },
        { owner: 'special', namespace: 'ns-1', workload: 'deployment/app-41' },
      ],
    },
  })
  const totalOf = async (owner: string) => (await call('listFindings', { query: { owner } })).total
  expect(await totalOf('even')).toBe(100)
  expect(await totalOf('one')).toBe(24)
  expect(await totalOf('special')).toBe(1)
  expect(await totalOf('-')).toBe(875)
  expect(await totalOf('nobody-like-this')).toBe(0)
  const { groups, findings } = await call('listFindings', { query: { group_by: 'owner', sort: 'count' } })
  expect(findings).toBe(1000)
  expect(groups.map(({ key, findings }) => [key, findings])).toEqual([
    [null, 875],
    ['even', 100],
    ['one', 24],
    ['special', 1],
  ])
  const [item] = (await call('listFindings', { query: { owner: 'special' } })).items
  expect(item).toMatchObject({ resource: 'deployment/app-41', owners: ['special'] })
  const found = await call('getFinding', { params: { fingerprint: item!.fingerprint! } })
  expect(found.owners).toEqual([{ owner: 'special', namespace: 'ns-1', workload: 'deployment/app-41' }])
})

test('a thousand findings in forty namespaces have the owners that labels name, where no rule matches', async () => {
  const { call, upload } = await openService()
  const ofNamespaces = namespaces.slice(0, 30).map((namespace, i) => ({ namespace, owner: `team-${i % 3}` }))
  const ofWorkload = { namespace: 'ns-1', workloadKind: 'Deployment', workloadName: 'app-41', owner: 'special' }
  const artifacts = { ownerLabels: [...ofNamespaces, ofWorkload] }
  await upload(rows, { body: { cluster: { name: 'prod' }, artifacts } })
  const totalOf = async (owner: string) => (await call('listFindings', { query: { owner } })).total
  expect(await totalOf('team-0')).toBe(250)
  expect(await totalOf('team-1')).toBe(249)
  expect(await totalOf('special')).toBe(1)
  expect(await totalOf('-')).toBe(250)
  const [item] = (await call('listFindings', { query: { owner: 'special' } })).items
  const found = await call('getFinding', { params: { fingerprint: item!.fingerprint! } })
  expect(found.owners).toEqual([{ owner: 'special', namespace: 'ns-1', workload: 'deployment/app-41' }])
  await call('setOwners', { body: { owners: [{ owner: 'even', namespace: 'ns-*0' }] } })
  const { groups } = await call('listFindings', { query: { group_by: 'owner', sort: 'count' } })
  expect(Object.fromEntries(groups.map(({ key, findings }) => [key, findings]))).toEqual({
    ...{ 'team-0': 225, 'team-1': 224, 'team-2': 225, special: 1, even: 100, null: 225 },
  })
})

test('owners are those of the account, and say who set them', async () => {
  const { call, addUser } = await openService()
  const body = { owners: [{ owner: 'a', namespace: 'x' }] }
  expect(await call('setOwners', { body })).toMatchObject({ ...body, changed_by: 'local' })
  await call('setOwners', { body: { owners: [] } })
  await call('setOwners', { body })
  expect((await call('getOwners', {})).owners).toEqual(body.owners)
  const eve = await addUser('eve')
  expect(await call('getOwners', { user: eve })).toEqual({ owners: [], changed_at: null, changed_by: null })
})

test('an owner sees the points and the score of its own findings', async () => {
  const { call, upload } = await openService()
  await upload(rows, { body: { cluster: { name: 'prod' } } })
  await call('setOwners', { body: { owners: [{ owner: 'even', namespace: 'ns-*0' }] } })
  const all = await call('listTopChecks', {})
  const own = await call('listTopChecks', { query: { owner: 'even' } })
  const rest = await call('listTopChecks', { query: { owner: '-' } })
  const sum = (found: typeof all) => found.items.reduce((total, { rows }) => total + rows, 0)
  expect([sum(all), sum(own), sum(rest)]).toEqual([1000, 100, 900])
  expect(own.owner_score! > all.mean_score!).toBe(true)
  expect(all.owner_score).toBeUndefined()
  expect((await call('listTopChecks', { query: { owner: 'nobody-like-this' } })).owner_score).toBe(100)
})
