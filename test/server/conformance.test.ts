import { afterAll, beforeAll, describe } from 'vitest'
import { checkAccess } from './conformance/access.ts'
import { checkAddresses } from './conformance/addresses.ts'
import { checkAnswers } from './conformance/answers.ts'
import { countOfChecks } from './conformance/ask.ts'
import { checkDefaults } from './conformance/defaults.ts'
import { checkLimits } from './conformance/limits.ts'
import { checkTeams } from './conformance/team.ts'
import { openWorld, type World } from './conformance/world.ts'

/** What routes answer, and to whom. On PostgreSQL this is part of the stress tests. */
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
describe('limits', checkLimits)
