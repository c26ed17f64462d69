import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../helpers/cli.ts'

test('a watched folder is created in the data folder, and nowhere else', async () => {
  const [home, elsewhere] = [temporaryFolder(), temporaryFolder()]
  const [inbox, mount] = [join(home, 'inbox'), join(elsewhere, 'mount')]
  const file = join(home, 'agent.yaml')
  writeFileSync(file, `jobs:\n  - {name: a, watch: {folder: ${inbox}}}\n  - {name: b, watch: {folder: ${mount}}}\n`)
  const { stderr } = await runCli(['agent', 'run', '--once'], { home })
  expect([existsSync(inbox), existsSync(mount)]).toEqual([true, false])
  expect(stderr).toContain(`The folder ${mount} cannot be read`)
  expect(stderr).not.toContain(inbox)
})
