import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = import.meta.dirname
const sources = globSync('**/*.ts', { cwd: root, exclude: ['stress/**', 'fixtures/**', 'busy-machine.test.ts'] }).map(
  (file) => [file, readFileSync(join(root, file), 'utf8')] as const,
)

const matching = (pattern: RegExp) =>
  sources.flatMap(([file, source]) => [...source.matchAll(pattern)].map(([found]) => `${file}: ${found}`))

test('the tests are found', () => {
  expect(sources.length).toBeGreaterThan(400)
})

test('only vitest.config.ts has limits of time, which are for tests that hang', () => {
  expect(matching(/^ *\}, (?:\d[\d_]*|\w+(?:Ms|Timeout))\)$/gm)).toEqual([])
  expect(matching(/\b(?:test|describe|it)(?:\.\w+)*\([^\n]*\{ timeout: /g)).toEqual([])
  expect(matching(/\.poll\([^\n]*\btimeout: /g)).toEqual([])
  // These two give up after a second unless they are told otherwise.
  expect(matching(/vi\.wait(?:For|Until)\((?![^\n]*timeout: \d{2,3}_000)[^\n]*/g)).toEqual([])
})

test('only these look at a clock, and none expects that work ends by a time', () => {
  const clocks = matching(/\b(?:performance\.now\(|process\.(?:cpuUsage|threadCpuUsage|hrtime))/g)
  expect([...new Set(clocks.map((found) => found.split(':')[0]))].sort()).toEqual([
    // Pauses that have to be kept.
    'db/postgres/exhausted-pool.test.ts',
    // Twice the input against once, again and again until it is at most three times as long.
    'helpers/growth.ts',
    // A name.
    'helpers/postgres.ts',
    // For a bench.
    'helpers/timed-writer.ts',
    'notify/email.test.ts',
  ])
})
