import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { apiDocs } from '../../scripts/api-docs.ts'

test('docs/api.md is what `npm run docs` writes', () => {
  expect(readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')).toBe(apiDocs())
})
