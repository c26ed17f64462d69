import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readPolicy } from '../../src/gate/read-policy.ts'
import { ruleForms } from '../../src/gate/rule.ts'

const guide = readFileSync(new URL('../../docs/gate.md', import.meta.url), 'utf8')

test('docs/gate.md explains every rule', () => {
  for (const form of ruleForms) expect(guide).toContain(`| \`${form}\` | `)
})

test('the example of docs/gate.md is a policy', () => {
  const [, yaml] = /```yaml\n([\s\S]*?)```/.exec(guide)!
  expect(readPolicy(yaml!, 'relt.yaml')).toMatchObject({
    rules: { length: 3 },
    firstRun: 'undecided',
    minCoverage: 0.8,
    acceptNotRun: { length: 2 },
    exceptions: { length: 3 },
  })
})
