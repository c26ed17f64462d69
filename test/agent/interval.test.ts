import { expect, test } from 'vitest'
import { toInterval } from '../../src/agent/interval.ts'
import { parseAgentConfig } from '../../src/agent/read-config.ts'

const now = Date.parse('2026-11-22T12:00:00Z') / 1000
const [hour, day] = [3600, 86_400]

test.each([
  ['every: 90m', 90 * 60],
  ['every: 1h, jitter: 10m', 70 * 60],
  ['schedule: "0 3 * * *", time_zone: UTC', day],
  ['schedule: "*/10 * * * *", time_zone: UTC', 600],
  ['schedule: "0 9-17 * * 1-5", time_zone: UTC', 64 * hour],
  ['schedule: "* * * * 1-5", time_zone: UTC', 2 * day + 60],
  ['schedule: "*/10 8-18 * * *", time_zone: UTC', 13 * hour + 600],
  ['schedule: "0 0 1 * *", time_zone: UTC', 30 * day],
])('the longest time between two occurrences of %s', (times, seconds) => {
  const { jobs } = parseAgentConfig(`jobs:\n  - {name: a, profile: p, ${times}}`, 'agent.yaml', { machine: 'm' })
  expect(toInterval(jobs[0]!, now)).toBe(seconds)
})

test('a watched folder has no interval', () => {
  const { jobs } = parseAgentConfig('jobs:\n  - {name: a, watch: {folder: /drop}}', 'agent.yaml', { machine: 'm' })
  expect(toInterval(jobs[0]!, now)).toBeUndefined()
})
