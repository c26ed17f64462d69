import { expect, test } from 'vitest'
import { countSingleUses, countSurface, countSyntax, readSources } from '../scripts/size.ts'

test('counts syntax nodes, whatever lines and comments they have', () => {
  const { nodes } = countSyntax({ 'a.ts': 'const one = [1, 2]' })
  expect(nodes).toBe(7)
  expect(countSyntax({ 'a.ts': '// Two numbers.\nconst one = [\n  1,\n  2,\n]\n' }).nodes).toBe(nodes)
})

test('counts private functions that are called once', () => {
  const source = `export const shown = () => once() + twice() + twice()
    function once() { return () => 1 }
    const twice = () => 2
    function never() {}`
  expect(countSyntax({ 'a.ts': source })).toMatchObject({ functions: 5, calledOnce: 1 })
})

test('finds spread literals', () => {
  const source = 'const all = { ...{ a, b }, ...(c && { c }), d: [...[1], ...e, ...([2] as const)] }\ncall(...[f])'
  expect(countSyntax({ 'a.ts': source }).spreadLiterals).toEqual([
    'a.ts: ...{ a, b }',
    'a.ts: ...[1]',
    'a.ts: ...([2] as const)',
    'a.ts: ...[f]',
  ])
})

test('src has a line for each member rather than spread literals', () => {
  expect(countSyntax(readSources()).spreadLiterals).toEqual([])
})

test('counts exports that one file imports', () => {
  const sources = {
    'room/a.ts': 'export const one = 1\nexport const two = 2',
    'room/b.ts': "import { one, two } from './a.ts'",
    'c.ts': "import { two } from './room/a.ts'\nimport { join } from 'node:path'",
  }
  expect(countSingleUses(sources)).toBe(1)
})

test('counts what users meet', async () => {
  const surface = await countSurface({ 'a.ts': "const { RELT_A } = env\nread('RELT_B_C')\n// RELT_D" })
  expect(surface).toMatchObject({ verbs: expect.any(Number), variables: 2 })
  expect(Object.values(surface).every((figure) => figure > 1)).toBe(true)
})
