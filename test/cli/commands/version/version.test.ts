import { expect, test } from 'vitest'
import { version } from '../../../../src/version.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'

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

test('prints licenses or the SBOM, and not both', async () => {
  const home = temporaryFolder()
  expect((await runCli(['version', '--licenses'], { home })).stdout).toContain('\ncommander ')
  expect(JSON.parse((await runCli(['version', '--sbom'], { home })).stdout)).toMatchObject({ bomFormat: 'CycloneDX' })
  expect(await runCli(['version', '--sbom', '--licenses'], { home })).toMatchObject({ code: 2, stdout: '' })
})
