import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { configKeys } from '../../../../src/agent/config.ts'
import { readAgentConfig } from '../../../../src/agent/read-config.ts'
import { temporaryFolder } from '../../../helpers/cli.ts'
import { minimalEnv, reltScript } from '../../../helpers/process.ts'
import { makePrograms } from '../../../helpers/programs.ts'
import { exampleFile } from '../../../helpers/report.ts'
import { deployment, writeCluster } from '../../../scan/cluster.ts'

const fileFor = (path: string) => new URL(`../../../../${path}`, import.meta.url)
const guide = readFileSync(fileFor('docs/agent.md'), 'utf8')

/** The commands of a section. */
function toCommands(title: string): string[] {
  const block = new RegExp(`^## ${title}$[^]*?\`\`\`sh\\n([^]*?)\`\`\``, 'm').exec(guide)
  return block![1]!.trim().split('\n')
}

/** A machine with relt, a scanner, kubectl and systemd. */
function newMachine() {
  const folder = temporaryFolder()
  const home = join(folder, 'home')
  mkdirSync(home)
  writeCluster(join(folder, 'cluster'), { deployments: [deployment('web', ['nginx:1.27.3'])] })
  const { env } = makePrograms(folder, ['kubebuddy'], { FAKE_REPORT: exampleFile(1) })
  const program = (name: string, script: string) => writeFileSync(join(folder, 'bin', name), script, { mode: 0o755 })
  program('relt', reltScript)
  program('systemctl', `#!/bin/sh\necho "$@" >> '${join(folder, 'systemctl')}'\n`)
  const variables = {
    ...minimalEnv,
    ...env,
    HOME: home,
    PATH: `${env.PATH}:/usr/bin:/bin`,
    RELT_OSV_URL: 'none',
    RELT_KEV_URL: 'none',
    RELT_CHANNELS_URL: 'none',
  }
  const shell = (command: string) =>
    spawnSync('/bin/sh', ['-c', command], { encoding: 'utf8', env: { ...variables, NODE_NO_WARNINGS: '1' } })
  return { shell, systemctl: () => readFileSync(join(folder, 'systemctl'), 'utf8').trim().split('\n') }
}

test.skipIf(process.platform !== 'linux')('the five commands for a laptop lead to a scan', () => {
  const { shell, systemctl } = newMachine()
  const commands = toCommands('A laptop')
  expect(commands).toHaveLength(5)
  for (const command of commands) {
    const { status, stderr } = shell(command)
    expect({ command, status, stderr: status === 0 ? '' : stderr }).toEqual({ command, status: 0, stderr: '' })
  }
  expect(systemctl().at(-1)).toBe('--user start relt-agent.service')
  // In place of systemd, with the options of the unit.
  const unit = shell('cat ~/.config/systemd/user/relt-agent.service').stdout
  const started = shell(`${/^ExecStart=(.*)$/m.exec(unit)![1]} --once`)
  expect([started.status, started.status === 0 ? '' : started.stderr]).toEqual([0, ''])
  const [entry] = JSON.parse(shell('relt agent history --json').stdout).items
  expect(entry).toMatchObject({ job: 'nightly', state: 'done', score: 61 })
  expect(JSON.parse(shell('relt reports list --json').stdout).items[0]).toMatchObject({ cluster_name: 'kind-dev' })
})

test.each(['A server', 'A cluster'])('the way of %s has five commands', (title) => {
  expect(toCommands(title)).toHaveLength(5)
})

test('the reference has every key of agent.yaml', () => {
  const named = new Set(Array.from(guide.matchAll(/`([a-z_.]+)`/g), ([, key]) => key))
  const keys = [
    ...configKeys[''].filter((key) => key !== 'spool'),
    ...configKeys.spool.map((key) => `spool.${key}`),
    ...configKeys.jobs.filter((key) => key !== 'watch'),
    ...configKeys.watch.map((key) => `watch.${key}`),
  ]
  expect(keys.filter((key) => !named.has(key))).toEqual([])
})

test('examples/agent.yaml has no mistakes', () => {
  const { jobs } = readAgentConfig(fileURLToPath(fileFor('examples/agent.yaml')), { machine: 'a' })
  expect(jobs.map(({ name }) => name)).toEqual(['nightly', 'daytime', 'trivy-files'])
})
