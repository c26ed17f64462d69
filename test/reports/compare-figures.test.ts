import { describe, expect, test } from 'vitest'
import { compareRuns, type Difference } from '../../src/reports/compare.ts'
import { type Row, runOfReport, scan, toRun } from './scan.ts'

/** Reports without a fault have these checks, too. */
const passed = ['POD005', 'SEC003', 'NODE001', 'SEC035', 'WRK012', 'WRK015', 'WRK017']

async function compare(from: Row[], to: Row[]): Promise<Difference> {
  const [before, after] = await Promise.all([from, to].map((rows) => toRun(scan(rows, { passed }))))
  return compareRuns(before!, after!, async () => new Set())
}

const told = (difference: Difference) => ({
  new: difference.new.length,
  resolved: difference.resolved.length,
  regressed: difference.regressed.map(({ from, to }) => `${from?.count} → ${to?.count}`),
  changed: difference.changed.map(({ from, to }) => `${from.count} → ${to.count}`),
})
const none = { new: 0, resolved: 0, regressed: [], changed: [] }

const suffix = 'bcdfghjklmnpqrstvwxz'
const pods = (many: number, row: Row = {}, hash = '65cc8855c'): Row[] =>
  Array.from({ length: many }, (_, i) => ({ resource: `pod/web-${hash}-x2z4${suffix[i]}`, ...row }))
/** All pods of a workload have what its template says. */
const root = (many: number, hash?: string) =>
  pods(many, { check: 'SEC003', message: 'Container app runs as root' }, hash)
const crash = (many: number, hash?: string) => pods(many, { check: 'POD005', value: 'CrashLoopBackOff' }, hash)
const node = (name: string): Row => ({
  check: 'NODE001',
  namespace: '-',
  resource: `node/${name}`,
  message: 'NotReady',
})

describe('the figure of a known finding', () => {
  test.each<[string, Row[], Row[], Partial<typeof none>]>([
    ['the same', root(5), root(5), none],
    ['the same after a rollout', root(5), root(5, '577s4nmqxh'), none],
    ['more pods', root(5), root(8), { changed: ['5 → 8'] as never }],
    ['fewer pods', root(5), root(2), { changed: ['5 → 2'] as never }],
    [
      'more pods of a workload that crashes',
      [...root(5), ...crash(5)],
      [...root(8), ...crash(8)],
      { changed: ['5 → 8', '5 → 8'] as never },
    ],
    [
      'all pods crash where one did',
      [...root(10), ...crash(1)],
      [...root(10), ...crash(10)],
      { regressed: ['1 → 10'] as never },
    ],
    [
      'all pods crash after a rollout where one did',
      [...root(10), ...crash(1)],
      [...root(10, '577s4nmqxh'), ...crash(10, '577s4nmqxh')],
      { regressed: ['1 → 10'] as never },
    ],
    [
      'more pods crash than came',
      [...root(10), ...crash(1)],
      [...root(13), ...crash(4)],
      { changed: ['10 → 13'] as never, regressed: ['1 → 4'] as never },
    ],
    ['more pods crash, and how many there are is not known', crash(1), crash(10), { regressed: ['1 → 10'] as never }],
    ['fewer pods crash', [...root(10), ...crash(9)], [...root(10), ...crash(2)], { changed: ['9 → 2'] as never }],
    ['one more container of the same pods', root(5), [...root(5), ...root(5)], { regressed: ['5 → 10'] as never }],
  ])('%s', async (_, from, to, expected) => {
    const found = told(await compare(from, to))
    expect({ ...found, changed: found.changed.sort() }).toEqual({ ...none, ...expected })
  })

  test('a fault in one more container, which its sentence names, is new', async () => {
    const sidecar = pods(5, { check: 'SEC003', message: 'Container proxy runs as root' })
    expect(told(await compare(root(5), [...root(5), ...sidecar]))).toEqual({ ...none, new: 1 })
  })

  test('a DaemonSet that fails on all nodes from now on is new', async () => {
    const agents = Array.from({ length: 8 }, (_, i) => ({ check: 'POD005', resource: `pod/agent-x2z4${suffix[i]}` }))
    expect(told(await compare(root(1), [...root(1), ...agents]))).toEqual({ ...none, new: 1 })
  })

  test('workloads of equal names in two namespaces are two', async () => {
    const other = root(3).map((row) => ({ ...row, namespace: 'other' }))
    expect(told(await compare([...root(3), ...other], root(3)))).toEqual({ ...none, resolved: 1 })
  })

  test('states how many show it, before and after, and the finding of the later run', async () => {
    const { regressed } = await compare([...root(10), ...crash(1)], [...root(10), ...crash(10)])
    expect(regressed).toEqual([
      expect.objectContaining({
        check_id: 'POD005',
        count: 10,
        from: { message: 'is wrong', value: 'CrashLoopBackOff', count: 1, of: 10 },
        to: { message: 'is wrong', value: 'CrashLoopBackOff', count: 10, of: 10 },
      }),
    ])
  })
})

test('one more machine that is not ready is told, however many machines came', async () => {
  const { regressed } = await compare(
    [node('aks-user-39088964-vmss000001')],
    [node('aks-user-11131071-vmss000001'), node('aks-user-11131071-vmss000002')],
  )
  expect(regressed.map(({ from, to }) => [from?.count, to?.count])).toEqual([[1, 2]])
})

describe('machines of a pool that fail', () => {
  /** A cluster of these machines, of which some fail. */
  const cluster = (machines: string[], failing: string[], issue = 'NotReady') => {
    const Items = machines.map((Node) =>
      failing.includes(Node)
        ? { Node, Status: '❌ Not Ready', Issues: issue }
        : { Node, Status: '✅ Healthy', Issues: 'None' },
    )
    const NODE001 = { ID: 'NODE001', Name: 'Nodes', Severity: 'Critical', Total: failing.length, Items }
    return { metadata: { clusterName: 'shop' }, checks: { NODE001 } }
  }
  const foundBetween = async (...reports: object[]) => {
    const [before, after] = await Promise.all(reports.map(runOfReport))
    const { regressed, ...others } = await compareRuns(before!, after!, async () => new Set())
    return {
      regressed: regressed.map(({ resource, from, to }) => `${resource} ${from?.count} → ${to?.count}`),
      others: [others.new, others.resolved, others.changed].map(({ length }) => length),
    }
  }
  const vmss = (...letters: string[]) => letters.map((letter) => `aks-user-39088964-vmss00000${letter}`)
  const others = (...letters: string[]) => letters.map((letter) => `aks-user-11131071-vmss00000${letter}`)
  const all = vmss('a', 'b', 'c')

  test.each<[string, object, object, string[], number[]]>([
    ['the same one', cluster(all, vmss('a')), cluster(all, vmss('a')), [], [0, 0, 0]],
    ['one recovers', cluster(all, vmss('a', 'b')), cluster(all, vmss('a')), [], [0, 0, 1]],
    [
      'one recovers while another fails',
      cluster(all, vmss('a')),
      cluster(all, vmss('b')),
      ['node/aks-user-39088964-vmss00000b 1 → 1'],
      [0, 0, 0],
    ],
    [
      'two recover while another fails',
      cluster(all, vmss('a', 'b')),
      cluster(all, vmss('c')),
      ['node/aks-user-39088964-vmss00000c 2 → 1'],
      [0, 0, 0],
    ],
    [
      'one recovers while another fails in a second way',
      cluster(all, vmss('a'), 'NotReady'),
      cluster(all, vmss('b'), 'NotReady, DiskPressure'),
      [],
      [1, 1, 0],
    ],
    ['all are replaced', cluster(all, vmss('a')), cluster(others('x', 'y', 'z'), others('y')), [], [0, 0, 0]],
    [
      'all are replaced, and one more fails',
      cluster(all, vmss('a')),
      cluster(others('x', 'y', 'z'), others('x', 'y')),
      ['node/aks-user-11131071-vmss00000y 1 → 2'],
      [0, 0, 0],
    ],
    [
      'the failing one is replaced while one that was well fails',
      cluster(all, vmss('a')),
      cluster([...vmss('b', 'c'), ...others('x')], vmss('b')),
      ['node/aks-user-39088964-vmss00000b 1 → 1'],
      [0, 0, 0],
    ],
    [
      'one joins that fails',
      cluster(all, vmss('a')),
      cluster([...all, ...others('x')], [...vmss('a'), ...others('x')]),
      ['node/aks-user-11131071-vmss00000x 1 → 2'],
      [0, 0, 0],
    ],
    [
      'one of no known scheme recovers while another fails',
      cluster(['talos-a1b-c2d', 'talos-e3f-g4h'], ['talos-a1b-c2d']),
      cluster(['talos-a1b-c2d', 'talos-e3f-g4h'], ['talos-e3f-g4h']),
      ['node/talos-e3f-g4h 1 → 1'],
      [0, 0, 0],
    ],
  ])('%s', async (_, from, to, regressed, counts) => {
    expect(await foundBetween(from, to)).toEqual({ regressed, others: counts })
  })

  test('are told where no check lists all machines', async () => {
    const full = (Node: string) => ({
      metadata: { clusterName: 'shop' },
      checks: {
        NODE003: {
          ID: 'NODE003',
          Name: 'Pods',
          Severity: 'Warning',
          Total: 1,
          Items: [{ Node, Percentage: '91.00%', Status: 'Warning', Threshold: '80%' }],
        },
      },
    })
    const [a, b] = vmss('a', 'b')
    expect(await foundBetween(full(a!), full(b!))).toEqual({ regressed: [`node/${b} 1 → 1`], others: [0, 0, 0] })
  })
})

test('a workload that scales beyond one replica has changed', async () => {
  const of = (check: string, value: string): Row => ({ check, value, resource: 'deployment/web', message: check })
  const [one, many] = [[of('WRK017', '1')], [of('WRK012', '4'), of('WRK015', '4')]]
  const up = await compare(one, many)
  expect(told(up)).toMatchObject({ new: 0, resolved: 0, regressed: [] })
  expect(up.changed.map(({ check_id, from, to }) => [check_id, from.value, to.value]).sort()).toEqual([
    ['WRK012', '1', '4'],
    ['WRK015', '1', '4'],
  ])
  expect(told(await compare(many, one))).toMatchObject({ new: 0, resolved: 0, regressed: [] })
  expect(told(await compare([], many))).toMatchObject({ new: 2 })
  expect(told(await compare(one, []))).toMatchObject({ resolved: 1 })
})

test('a finding that is more severe and shown by more pods is regressed once', async () => {
  const found = await compare(crash(1), pods(10, { check: 'POD005', value: 'CrashLoopBackOff', severity: 'critical' }))
  expect(found.regressed).toEqual([
    expect.objectContaining({ severity: 'critical', previous_severity: 'medium', count: 10 }),
  ])
  expect(found.changed).toEqual([])
})
