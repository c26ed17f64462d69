import { type ExecFileSyncOptionsWithStringEncoding, execFileSync, spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { programHelp } from '../../scripts/command-tree.ts'
import { openDatabase } from '../../src/db/open.ts'
import { addOccurrence, listOpen } from '../../src/store/fleet/agent-occurrence.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { minimalEnv } from '../helpers/process.ts'

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
  const env = { ...minimalEnv, RELT_HOME: join(folder, 'home') }
  const relt = (...argv: string[]) =>
    execFileSync(process.execPath, [join(folder, 'package/bin/relt.js'), ...argv], { ...options, cwd: folder, env })
  expect(JSON.parse(relt('stats', '--json')).total_projects).toBeGreaterThan(500)
  expect(relt('demo')).toContain('prod')
  expect(relt('--help')).toBe(await programHelp())
  expect(relt('projects', '--help')).toContain('search')
  writeFileSync(join(folder, 'agent.yaml'), 'jobs: [{name: nightly, every: 1d, profile: prod}]')
  expect(relt('agent', 'manifests', 'systemd', '--user')).toContain('ExecStart=')
  expect(JSON.parse(relt('version', '--sbom'))).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
  expect(relt('version', '--licenses')).toMatch(/^node 24\.[\s\S]*^sqlite 3\./m)

  // An update removes parts that a running agent has not loaded yet.
  const [agentHome, config] = [join(folder, 'agent'), join(folder, 'agent.yaml')]
  const child = spawn(process.execPath, [join(folder, 'package/bin/relt.js'), 'agent', 'run', '--config', config], {
    env: { ...env, RELT_HOME: agentHome },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise((resolve) => child.on('close', resolve))
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  await expect.poll(() => log).toContain('agent started')
  rmSync(join(folder, 'package/dist/chunks'), { recursive: true })
  const db = await openDatabase(join(agentHome, 'relt.db'))
  onTestFinished(() => db.destroy())
  const due_at = Math.floor(Date.now() / 1000)
  await addOccurrence(db, {
    ...{ job: 'nightly', cause: 'trigger', due_at, state: 'pending', late_seconds: 0, detail: null },
  })
  expect(await ended).toBe(1)
  expect(log).toContain('relt was replaced while the agent ran')
  expect(await listOpen(db)).toMatchObject([{ job: 'nightly', state: 'pending', owner: null }])
})
