import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { programHelp } from '../../scripts/command-tree.ts'
import { temporaryFolder } from '../helpers/cli.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('the packed package runs without what it was built from', async () => {
  const folder = temporaryFolder()
  const options: ExecFileSyncOptionsWithStringEncoding = {
    encoding: 'utf8',
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
  }
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], options)
  const [{ filename }] = JSON.parse(packed)
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder])
  const env = { ...process.env, RELT_HOME: join(folder, 'home'), RELT_KEYCHAIN: 'off' }
  const relt = (...argv: string[]) =>
    execFileSync(process.execPath, [join(folder, 'package/bin/relt.js'), ...argv], { ...options, cwd: folder, env })
  expect(JSON.parse(relt('stats', '--json')).total_projects).toBeGreaterThan(500)
  expect(relt('demo')).toContain('prod')
  expect(relt('--help')).toBe(await programHelp())
  expect(relt('projects', '--help')).toContain('search')
  writeFileSync(join(folder, 'agent.yaml'), 'jobs: [{name: nightly, every: 1d, profile: prod}]')
  expect(relt('agent', 'manifests', 'kubernetes', '--config', 'agent.yaml')).toContain('kind: Deployment')
  expect(JSON.parse(relt('version', '--sbom'))).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
  expect(relt('version', '--licenses')).toMatch(/^node 24\.[\s\S]*^sqlite 3\./m)
}, 60_000)
