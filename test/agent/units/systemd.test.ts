import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemdUnit } from '../../../src/agent/units/systemd.ts'
import type { UnitOptions } from '../../../src/agent/units/unit.ts'
import { temporaryFolder } from '../../helpers/cli.ts'

const options: UnitOptions = {
  // The tool checks that the program exists.
  program: ['/bin/sh', '/opt/relt/bin/relt.js'],
  config: '/etc/relt/agent.yaml',
  isUser: false,
  kubeconfig: '/etc/relt/kubeconfig',
  env: { PATH: '/usr/bin:/bin', RELT_HOME: '/data/my relt', RELT_PASSWORD: 'a-secret', RELT_MASTER_KEY: 'a-key' },
}
const hasTool = spawnSync('systemd-analyze', ['--version']).status === 0

function analyze(unit: UnitOptions, verb: string[]) {
  const folder = temporaryFolder()
  const file = join(folder, systemdUnit(unit).path)
  writeFileSync(file, systemdUnit(unit).content)
  mkdirSync(join(folder, 'run'), { mode: 0o700 })
  return spawnSync('systemd-analyze', [...verb, file], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, XDG_RUNTIME_DIR: join(folder, 'run'), LC_ALL: 'C' },
  })
}

// Without the tool, nothing but systemd itself can tell what a directive means.
describe.skipIf(!hasTool)('systemd-analyze', () => {
  test.each([false, true])('finds no mistake in the unit, user: %s', (isUser) => {
    const { status, stdout, stderr } = analyze({ ...options, isUser }, ['verify', '--man=no'])
    expect({ status, output: stdout + stderr }).toEqual({ status: 0, output: '' })
  })

  test.each([false, true])('rates the exposure at 2.0 or less, user: %s', (isUser) => {
    const { stdout } = analyze({ ...options, isUser }, ['security', '--offline=true', '--no-pager'])
    const exposure = Number(/Overall exposure level[^:]*: ([\d.]+)/.exec(stdout)?.[1])
    expect(exposure).toBeGreaterThan(0)
    expect(exposure).toBeLessThanOrEqual(2)
  })
})

test('holds no secret, and takes them from files', () => {
  const system = systemdUnit(options).content
  const own = systemdUnit({ ...options, isUser: true }).content
  expect(system + own).not.toMatch(/a-secret|a-key/)
  expect(system).toContain('EnvironmentFile=-/etc/relt/agent.env')
  expect(system).toContain('LoadCredential=kubeconfig:/etc/relt/kubeconfig')
  expect(own).toContain('EnvironmentFile=-%E/relt/agent.env')
})

test('leaves Node its compiler', () => {
  expect(systemdUnit(options).content).not.toContain('MemoryDenyWriteExecute')
})

test('quotes what has a meaning in a unit', () => {
  const { content } = systemdUnit({
    ...options,
    isUser: true,
    program: ['/opt/a b/relt'],
    config: '/etc/50%/$x"y.yaml',
  })
  expect(content).toContain(String.raw`ExecStart="/opt/a b/relt" agent run --config "/etc/50%%/$$x\"y.yaml"`)
  expect(content).toContain('Environment="RELT_HOME=/data/my relt"')
})

test.each([{ program: ['/home/me/relt'] }, { config: '/root/agent.yaml' }])(
  'refuses %j in a service that sees no home folder',
  (wrong) => {
    expect(() => systemdUnit({ ...options, ...wrong })).toThrow('is in a home folder')
    expect(() => systemdUnit({ ...options, ...wrong, isUser: true })).not.toThrow()
  },
)

test('refuses a line break, which would add a directive', () => {
  expect(() => systemdUnit({ ...options, config: '/etc/x\nExecStartPre=/bin/evil' })).toThrow('line break')
})
