import type { Route } from '../../src/contract/route.ts'
import type { DatabaseKind } from '../../src/db/kind.ts'
import { withoutChance } from '../db/postgres/without-chance.ts'
import { everyRoute } from '../server/conformance/all.ts'
import { sendTo, toPath } from '../server/conformance/ask.ts'
import { callWith, toRows } from '../server/conformance/parameters.ts'
import { openWorld, type World } from '../server/conformance/world.ts'

/**
 * Answers to the calls of the conformance table that succeed, on a store of its own; of the chosen routes with each value
 * that their parameters take.
 */
export async function answersOfTable(
  database: DatabaseKind,
  isChosen: (route: Route) => boolean,
): Promise<Record<string, string>> {
  const world = await openWorld(undefined, { database })
  const { headers } = world.owner
  const answers: Record<string, string> = {}
  for (const [name, route, rows] of everyRoute) {
    const all = isChosen(route) ? [...toRows(rows, 'ok'), ...toRows(rows, 'unknown')] : []
    const values = all.filter(({ only, value }) => only === undefined && value !== prefixOfChance)
    const calls = [
      rows.good,
      ...(rows.more ?? []).map(({ call }) => call),
      ...values.map((value) => async (to: World) => callWith(await rows.good(to), value)),
    ]
    for (const [index, make] of calls.entries()) {
      const call = await make(world)
      const { method } = route
      const { status, body } = await sendTo(world, toPath(route, call), { method, headers, body: call.body })
      answers[`${name} ${index}`] = withoutChance(`${status} ${JSON.stringify(body)}`)
    }
  }
  return answers
}

/** Some ids of runs begin with it, and others do not. */
const prefixOfChance = 'crun_x'
