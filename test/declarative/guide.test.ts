import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { wantedKeys } from '../../src/contract/wanted-state.ts'
import { readWanted } from '../../src/declarative/read-wanted.ts'

test('the example of the guide can be used, and has every part', () => {
  const guide = readFileSync(new URL('../../docs/apply.md', import.meta.url), 'utf8')
  const [, yaml] = /```yaml\n(.*?)```/s.exec(guide)!
  expect(Object.keys(readWanted(yaml!, 'docs/apply.md').wanted)).toEqual(wantedKeys[''])
})
