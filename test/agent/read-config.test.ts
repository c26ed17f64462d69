import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentConfigFile, parseAgentConfig, readAgentConfig } from '../../src/agent/read-config.ts'

function problemsFor(yaml: string): Record<string, string> {
  try {
    parseAgentConfig(yaml, 'agent.yaml')
    return {}
  } catch (error) {
    return (error as { params: Record<string, string> }).params
  }
}

test('reads a job with its defaults, durations in seconds', () => {
  const { jobs } = parseAgentConfig(
    'jobs:\n  - {name: nightly, schedule: "0 3 * * *", profile: prod, max_late: 2h}',
    'a',
  )
  expect(jobs[0]).toMatchObject({
    name: 'nightly',
    timeout: 1800,
    max_late: 7200,
    on_missed: 'latest',
    overlap: 'skip',
  })
})

describe('refuses with the line', () => {
  test.each([
    ['jobs:\n  - {name: a, profile: p}', 'agent.yaml:2', 'jobs.0: schedule or every is needed'],
    ['jobs:\n  - {name: a, every: 1h}', 'agent.yaml:2', 'jobs.0: one of profile, watch, collect and metrics is needed'],
    [
      'jobs:\n  - {name: a, every: 1h, profile: p}\n  - {name: a, every: 1h, profile: p}',
      'agent.yaml:3',
      '"a" appears twice',
    ],
    ['jobs:\n  - name: a\n    profile: p\n    schedule: "0 0 30 2 *"', 'agent.yaml:4', 'schedule: it is never due'],
    [
      'jobs:\n  - name: a\n    profile: p\n    schedule: "0 0 * * *"\n    time_zone: Mars/X',
      'agent.yaml:5',
      'time_zone: there is no time zone "Mars/X"',
    ],
    [
      'jobs:\n  - name: a\n    profle: p\n    every: 1h',
      'agent.yaml:3',
      'there is no key "profle"; did you mean profile?',
    ],
    ['jobs:\n  - {name: a, every: 1h, watch: {folder: /x}}', 'agent.yaml:2', 'jobs.0.every: watch needs no schedule'],
    ['jobs:\n  - {name: a, every: 10s, profile: p}', 'agent.yaml:2', 'jobs.0.every: must be at least 60 seconds'],
    ['jobs:\n  - {name: A b, every: 1h, profile: p}', 'agent.yaml:2', expect.stringContaining('jobs.0.name')],
    ['jobs: []', 'agent.yaml:1', 'jobs: at least one job is needed'],
    ['jobs: [', 'agent.yaml:1', expect.any(String)],
  ])('%j', (yaml, place, problem) => {
    expect(problemsFor(yaml)).toMatchObject({ [place]: problem })
  })
})

test('names all mistakes at once, those of schedules too', () => {
  const jobs = [
    '{name: a, schedule: "0 0 30 2 *", profile: p}',
    '{nam: b, every: 3s, profile: p}',
    '{name: a, schedule: "0 0 * * *", time_zone: Mars/X, profile: p}',
  ]
  expect(problemsFor(`jobs:\n${jobs.map((job) => `  - ${job}\n`).join('')}`)).toEqual({
    'agent.yaml:2': 'schedule: it is never due',
    'agent.yaml:3': expect.stringMatching(
      /^jobs\.1\.name: .*; jobs\.1\.every: must be at least 60 seconds; there is no key "nam"/,
    ),
    'agent.yaml:4': 'time_zone: there is no time zone "Mars/X"; "a" appears twice',
  })
})

test('a file that is not there says where it is expected', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'relt-config-')), 'agent.yaml')
  expect(() => readAgentConfig(file)).toThrow(`${file} cannot be read: no such file.`)
  writeFileSync(file, 'jobs:\n  - {name: a, every: 1h, profile: p}')
  expect(readAgentConfig(file).jobs).toHaveLength(1)
})

test('commands in the data folder of the service of the machine read its configuration', () => {
  expect(agentConfigFile({ RELT_HOME: '/var/lib/relt/' })).toBe('/etc/relt/agent.yaml')
  expect(agentConfigFile({ RELT_HOME: '/srv/relt' })).toBe('/srv/relt/agent.yaml')
})

test.skipIf(process.platform === 'win32').each([
  [0o644, false],
  [0o664, true],
  [0o602, true],
])('with the mode %o, a file is refused: %s', (mode, isRefused) => {
  const file = join(mkdtempSync(join(tmpdir(), 'relt-test-')), 'agent.yaml')
  writeFileSync(file, 'jobs: [{name: a, every: 1h, profile: p}]')
  chmodSync(file, mode)
  const read = () => readAgentConfig(file).jobs.length
  if (isRefused) expect(read).toThrow(`Other accounts can write ${file}, and so run programs as the agent.`)
  else expect(read()).toBe(1)
})
