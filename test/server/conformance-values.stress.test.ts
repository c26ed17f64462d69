import { afterAll, beforeAll, describe } from 'vitest'
import { countOfChecks } from './conformance/ask.ts'
import { checkBodies } from './conformance/bodies.ts'
import { checkIds } from './conformance/ids.ts'
import { checkParameters } from './conformance/parameters.ts'
import { openWorld, type World } from './conformance/world.ts'

/** Every value of every parameter. On PostgreSQL this is part of the stress tests. */
let shared: World
let close: (() => Promise<void>) | undefined
beforeAll(async () => {
  shared = await openWorld((how) => {
    close = how
  })
})
afterAll(async () => {
  await close?.()
  console.log(`${countOfChecks()} conformance checks`)
})

describe('ids', () => checkIds(() => shared))
describe('parameters', () => checkParameters(() => shared))
describe('bodies', () => checkBodies(() => shared))
