import { expect, test } from 'vitest'
import { version } from '../../src/version.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'

test('version tells what relt runs on', async () => {
  const home = temporaryFolder()
  expect((await runCli(['version'], { home })).stdout).toBe(
    `relt ${version} (Node ${process.versions.node}, ${process.platform} ${process.arch})\n`,
  )
  expect(JSON.parse((await runCli(['version', '--json'], { home })).stdout)).toEqual({
    version,
    node: process.versions.node,
    platform: process.platform,
    arch: process.arch,
  })
})
