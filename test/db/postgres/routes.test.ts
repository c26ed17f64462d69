import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyRoute } from '../../server/conformance/all.ts'
import { overHttp } from '../../server/conformance/ask.ts'
import { mismatches } from '../../server/conformance/shape.ts'
import { openWorld, type World } from '../../server/conformance/world.ts'

/** The statements of every route run on PostgreSQL. Access, limits and values are checked on it by the stress tests. */
let world: World
let close: (() => Promise<void>) | undefined
beforeAll(async () => {
  world = await openWorld((how) => {
    close = how
  })
})
afterAll(() => close?.())

test.each(everyRoute)('%s answers its owner in the form of the interface', async (name, { status = 200 }, rows) => {
  for (const { call, answer } of [{ call: rows.good, answer: rows.answer }, ...(rows.more ?? [])]) {
    const outcome = await overHttp(world, name, await call(world), world.owner)
    expect(outcome).toMatchObject({ status })
    // Calls of other routes in the same world may have left a list empty.
    expect(mismatches(answer, outcome.answer).filter((each) => !each.endsWith(' is empty'))).toEqual([])
  }
})
