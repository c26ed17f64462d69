import { expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'

test('needs an empty database, and a store to copy', async () => {
  const home = temporaryFolder()
  const run = (...argv: string[]) => runCli(['admin', 'store', 'copy', ...argv], { home })
  const noTarget = await run()
  expect(noTarget).toMatchObject({ code: 2, stderr: expect.stringContaining('The target is no PostgreSQL database.') })
  expect(noTarget.stderr).toContain('relt admin backup FILE')
  expect(await run('--to', 'postgres://relt@127.0.0.1:1/relt')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`There is no store in ${home}.`),
  })
})
