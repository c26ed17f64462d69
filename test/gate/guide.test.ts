import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ruleForms } from '../../src/contract/gate-rule.ts'
import { readPolicy } from '../../src/gate/read-policy.ts'

const guide = readFileSync(new URL('../../docs/gate.md', import.meta.url), 'utf8')

test('docs/gate.md explains every rule', () => {
  for (const form of ruleForms) expect(guide).toContain(`| \`${form}\` | `)
})

test('the examples of docs/gate.md are policies', () => {
  const [scope, whole] = Array.from(guide.matchAll(/```yaml\n([\s\S]*?)```/g), ([, yaml]) =>
    readPolicy(yaml!, 'relt.yaml'),
  )
  expect(scope).toMatchObject({ acceptScope: { length: 2 } })
  expect(whole).toMatchObject({
    rules: { length: 3 },
    firstRun: 'undecided',
    minCoverage: 0.8,
    acceptNotRun: { length: 2 },
    acceptScope: { length: 1 },
    exceptions: { length: 3 },
  })
})
