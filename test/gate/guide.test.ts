import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readPolicy } from '../../src/gate/read-policy.ts'
import { ruleForms } from '../../src/gate/rules.ts'

const guide = readFileSync(new URL('../../docs/gate.md', import.meta.url), 'utf8')

test('docs/gate.md explains every rule', () => {
  for (const form of ruleForms) expect(guide).toContain(`| \`${form}\` | `)
})

test('the examples of docs/gate.md are policies', () => {
  const [lines, whole] = Array.from(guide.matchAll(/```yaml\n([\s\S]*?)```/g), ([, yaml]) =>
    readPolicy(yaml!, 'relt.yaml'),
  )
  expect(lines).toMatchObject({ undecided: { length: 3 } })
  expect(whole).toMatchObject({
    rules: { length: 3 },
    begin: '2026-11-28',
    takenIn: { length: 1 },
    undecided: { length: 1 },
    exceptions: { length: 3 },
  })
})
