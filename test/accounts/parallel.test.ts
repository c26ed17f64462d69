import { expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { reltFile, start } from '../helpers/process.ts'

test('6 processes that create keys of one user at once stop at the limit of the plan', async () => {
  const home = temporaryFolder()
  await runCli(['admin', 'users', 'add', 'ada', '--plan', 'pro'], { home })
  // The first key of the store makes its master key: that is part of the race.
  const argv = ['keys', 'create', 'x', '--as', 'ada', '--quiet']
  const env = { RELT_HOME: home, RELT_PLAN_LIMITS: 'interface' }
  const processes = Array.from({ length: 6 }, () => start(reltFile, argv, env).finished)
  const results = await Promise.all(processes)
  const made = results.filter(({ code }) => code === 0)
  expect(made).toHaveLength(3)
  expect(new Set(made.map(({ stdout }) => stdout)).size).toBe(3)
  const refused = results.filter(({ code }) => code !== 0)
  expect(refused.map(({ code, stderr }) => `${code} ${stderr.split('\n')[0]}`)).toEqual(
    refused.map(() => '4 error: The limit of the plan Pro is 3 API keys.'),
  )
  const { stdout } = await runCli(['keys', 'list', '--as', 'ada', '--json'], { home })
  expect(JSON.parse(stdout).keys).toHaveLength(3)
})
