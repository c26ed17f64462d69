import { expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { start, uploaderFile } from '../helpers/process.ts'

test('the same report from 4 processes at once is one run', async () => {
  const home = temporaryFolder()
  const uploaders = Array.from({ length: 4 }, () => start(uploaderFile, ['1', '1'], { RELT_HOME: home }).finished)
  const results = await Promise.all(uploaders)
  expect(results.map(({ code, stderr }) => `${code} ${stderr}`)).toEqual(results.map(() => '0 '))
  expect(new Set(results.map(({ stdout }) => stdout)).size).toBe(1)
  const { stdout } = await runCli(['reports', 'list', '--json'], { home })
  expect(JSON.parse(stdout).total).toBe(1)
})
