import { afterAll, beforeAll, describe } from 'vitest'
import { checkAccess } from './conformance/access.ts'
import { checkAddresses } from './conformance/addresses.ts'
import { checkAnswers } from './conformance/answers.ts'
import { countOfChecks } from './conformance/ask.ts'
import { checkBodies } from './conformance/bodies.ts'
import { checkDefaults } from './conformance/defaults.ts'
import { checkIds } from './conformance/ids.ts'
import { checkLimits } from './conformance/limits.ts'
import { checkParameters } from './conformance/parameters.ts'
import { checkTeams } from './conformance/team.ts'
import { openWorld, type World } from './conformance/world.ts'

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

describe('addresses', checkAddresses)
describe('defaults', checkDefaults)
describe('answers', checkAnswers)
describe('access', () => checkAccess(() => shared))
describe('teams', checkTeams)
describe('ids', () => checkIds(() => shared))
describe('parameters', () => checkParameters(() => shared))
describe('bodies', () => checkBodies(() => shared))
describe('limits', checkLimits)
