import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { findProgram } from '../../src/util/exec.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { reltFile, start } from '../helpers/process.ts'

/** Starts a program as a user of whom the system has no entry, as `docker run --user 64999` does. */
function findUnknownUser(): string[] | undefined {
  const program = findProgram('unshare', process.env)
  if (program === undefined) return undefined
  const within = [program, '--user', '--map-user=64999', '--map-group=64999']
  return spawnSync(within[0]!, [...within.slice(1), 'true']).status === 0 ? within : undefined
}

const within = findUnknownUser()

const unknown = 'error: Your home folder is unknown.\nhint: Set HOME or RELT_HOME.\n'

test.skipIf(!within).each([
  ['stats', unknown],
  ['status', unknown],
  ['serve --port 0', unknown],
  ['agent check', unknown],
  ['agent install --user --config none.yaml', unknown],
])('an unknown user without HOME learns what to set for %s', async (line, stderr) => {
  const { finished } = start(reltFile, line.split(' '), {}, within)
  expect(await finished).toMatchObject({ code: 2, stdout: '', stderr })
})

test.skipIf(!within)('an unknown user can use relt with a folder', async () => {
  const [home, data, config] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  const both = { XDG_DATA_HOME: data, XDG_CONFIG_HOME: config }
  for (const env of [{ RELT_HOME: home }, { HOME: home }, both, { XDG_DATA_HOME: data }]) {
    const { finished } = start(reltFile, ['stats', '--json'], env, within)
    expect(await finished).toMatchObject({ code: 0, stderr: '' })
  }
})

test.skipIf(!within)('an unknown user can run the demo without any folder', async () => {
  const { finished } = start(reltFile, ['demo', '--json'], {}, within)
  expect(await finished).toMatchObject({ code: 0, stderr: '' })
})
