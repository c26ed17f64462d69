import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService } from '../operations/service.ts'
import { controllers, controllersDay, type MadeDay, realChanges } from './controllers-cluster.ts'
import type { MadeRow } from './made-cluster.ts'

const seeds = [1, 2, 3, 4, 5]
/** Three days, thus two comparisons. */
const days = [1, 2, 3]

type Mode = 'inventory' | 'report only'
const modes: Mode[] = ['inventory', 'report only']

interface Told {
  kind: 'new' | 'resolved' | 'regressed'
  check_id: string
  namespace: string | null
  resource: string | null
}

const closers: (() => Promise<void>)[] = []
afterAll(() => Promise.all(closers.map((close) => close())))

/** The findings that the comparison of each day with the day before reports. */
async function compareDays(scans: MadeDay[], mode: Mode): Promise<Told[][]> {
  const { upload, call, clock } = await openService(':memory:', (close) => void closers.push(close), { catalog: true })
  const told: Told[][] = []
  for (const [i, { at, report, inventory }] of scans.entries()) {
    clock.now = at
    const run = { finished_at: new Date(at * 1000).toISOString() }
    const artifacts = mode === 'inventory' && { artifacts: inventory }
    await upload([], { report, body: { cluster: { name: 'made' }, run, ...artifacts } })
    if (i === 0) continue
    const found = await call('compareReports', { query: { cluster_name: 'made' } })
    const of = (kind: Told['kind']) =>
      found[`${kind}_findings`].map(({ check_id, namespace, resource }) => ({ kind, check_id, namespace, resource }))
    told.push([...of('new'), ...of('resolved'), ...of('regressed')])
  }
  return told
}

interface Result {
  /** Rows of all days but the first. */
  rows: number
  told: Record<Mode, string[]>
}

const nothing = (): Result => ({ rows: 0, told: { inventory: [], 'report only': [] } })

/** What comparisons report of each controller although nothing but names changed, over all seeds. */
async function measure(): Promise<Map<string, Result>> {
  const results = new Map([...Object.keys(controllers), 'nodes'].map((name) => [name, nothing()]))
  for (const seed of seeds) {
    const scans = days.map((day) => controllersDay(seed, day))
    for (const { report, controllerOf } of scans.slice(1)) {
      const rows = Object.values(report.checks).flatMap(({ Items }) => Items as MadeRow[])
      for (const row of rows) results.get(controllerOf(row))!.rows++
    }
    for (const mode of modes) {
      for (const [i, told] of (await compareDays(scans, mode)).entries()) {
        for (const { kind, check_id, namespace, resource } of told) {
          const row = { Namespace: namespace, Resource: resource }
          const names = [scans[i]!, scans[i + 1]!].map(({ controllerOf }) => controllerOf(row))
          const name = names.find((each) => each !== 'nodes') ?? 'nodes'
          results.get(name)!.told[mode].push(`seed ${seed}, day ${i + 2}: ${kind} ${check_id} ${resource}`)
        }
      }
    }
  }
  return results
}

/** Controllers with false findings, one a line: rows, false with an inventory, false without. */
function toTable(results: Map<string, Result>): string {
  const share = (part: string[], of: number) => `${part.length} (${((100 * part.length) / of).toFixed(0)} %)`
  const rows = [...results].map(([name, { rows, told }]) =>
    [name.padEnd(30), `${rows}`, ...modes.map((mode) => share(told[mode], rows))].join(' | '),
  )
  return rows.join('\n')
}

/** With RELT_TEST_TABLE=3 the table is printed, and three examples of each controller. */
const examples = Number(process.env.RELT_TEST_TABLE ?? 0)

/**
 * Nothing owns the pods of these, and a person could have typed the names: each day's are new pods. A pod of Velero has a container
 * that is named by a new id.
 */
const startedAnew = ['AWX', 'Airbyte', 'Kanister', 'Rancher operations', 'Velero data mover']

describe('controllers that make names anew', () => {
  let results: Map<string, Result>
  beforeAll(async () => {
    results = await measure()
    if (examples === 0) return
    console.log(toTable(results))
    for (const mode of modes)
      for (const [name, { told }] of results)
        if (told[mode].length > 0) console.log([`${name} with ${mode}`, ...told[mode].slice(0, examples)].join('\n  '))
  })

  describe.each(modes)('with %s', (mode) => {
    for (const name of [...Object.keys(controllers), 'nodes'])
      test(`${name}: ${startedAnew.includes(name) ? 'pods are new' : 'nothing is new, resolved or regressed'}`, () => {
        const { told } = results.get(name)!
        if (!startedAnew.includes(name)) expect(told[mode]).toEqual([])
        else expect(told[mode].filter((each) => !/: (?:new|resolved) \w+ pod/.test(each))).toEqual([])
      })
  })
})

describe.each(modes)('real changes with %s', (mode) => {
  for (const [name, { about, of = [], came, gone }] of Object.entries(realChanges))
    test(`${name}: told once`, async () => {
      const only = ['unlike workloads', ...of]
      const scans = [controllersDay(1, 1, { only }), controllersDay(1, 2, { only, changes: [name] })]
      const [told] = await compareDays(scans, mode)
      const checksOf = (isGone: boolean) =>
        told!.filter(({ kind }) => (kind === 'resolved') === isGone).map(({ check_id }) => check_id)
      expect({
        came: checksOf(false).sort(),
        gone: checksOf(true).sort(),
        others: told!.filter(({ resource }) => !about.test(resource ?? '')),
      }).toEqual({ came: [...came].sort(), gone: [...gone].sort(), others: [] })
    })
})
