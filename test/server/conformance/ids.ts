import { expect, test } from 'vitest'
import { dump } from '../../operations/service.ts'
import { everyRoute } from './all.ts'
import { inProcess, overHttp, transports } from './ask.ts'
import type { World } from './world.ts'

/** None of them is the id of anything. */
const strange = [
  ...[
    '0',
    '-1',
    '+1',
    '1.0',
    '1e0',
    '0x1',
    ' 1',
    '1 ',
    '１',
    '999999999',
    '9'.repeat(15),
    '9'.repeat(16),
    '9'.repeat(40),
  ],
  ...['x', "' or 1=1 --", '%', '%00', '\u0000', '../1', '1/2', '1?x=1', '1#', '{id}', '*', 'null', 'x'.repeat(5000)],
  ...['__proto__', 'constructor', 'prototype', 'toString'],
  ...['crun_', `crun_${'x'.repeat(64)}`, `crun_${'x'.repeat(65)}`, 'ccfg_x', `ccfg_${'x'.repeat(65)}`, 'CRUN_X'],
  '00000000-0000-4000-8000-000000000000',
]

/** Every id of every path, when there is nothing of that id. */
export function checkIds(shared: () => World): void {
  const withIds = everyRoute.filter(([, { path }]) => path.includes('{'))
  test.each(withIds)('%s does not know strange ids', async (name, _, rows) => {
    const world = shared()
    const call = await rows.good(world)
    const before = await dump(world.db)
    const known: unknown[] = []
    for (const param of Object.keys(call.params!)) {
      for (const id of strange) {
        for (const [title, ask] of transports) {
          const outcome = await ask(world, name, { ...call, params: { ...call.params, [param]: id } }, world.owner)
          if (outcome.status !== 404 || outcome.code !== 'rest_no_route') known.push([title, param, id, outcome])
        }
      }
    }
    expect(known).toEqual([])
    expect(await dump(world.db)).toEqual(before)
    expect(await overHttp(world, name, call, world.owner)).toMatchObject({ status: 200 })
  })

  test.each(withIds)('%s takes nothing but texts for ids', async (name, _, rows) => {
    const world = shared()
    const call = await rows.good(world)
    for (const param of Object.keys(call.params!)) {
      const ask = (id: unknown) =>
        inProcess(world, name, { ...call, params: { ...call.params, [param]: id } }, world.owner)
      for (const id of [null, true, ['1'], { id: '1' }]) {
        expect(await ask(id), String(id)).toEqual({ status: 400, code: 'rest_invalid_param', params: [param] })
      }
      expect(await ask(undefined)).toEqual({ status: 400, code: 'rest_invalid_param', params: [param] })
    }
  })
}
