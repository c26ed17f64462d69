import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../src', import.meta.url))

const mostLines = 40

/** Functions that are longer, and with how many lines they may be. */
const longer: Record<string, number> = {
  // One document, and two switches with a line for each rule.
  'agent/units/windows.ts windowsTask': 48,
  'gate/evaluate.ts judge': 45,
  'gate/passes-when.ts passesWhen': 41,
  // A field a line.
  'freshness/item.ts toItem': 50,
  'views/nodes.ts nodeColumns': 42,
}

interface Found {
  name: string
  lines: number
}

/** What is read of a node of the syntax tree; a list of nodes has none of it. */
interface Part {
  type: string
  start: number
  end: number
  id?: { name?: string }
  key?: { name?: string }
  body?: unknown
}

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

/** From the first line to the last, with the functions inside. A function has the name of what it is assigned to. */
function findFunctions(file: string, source: string): Found[] {
  const found: Found[] = []
  const countLines = (start: number, end: number) => source.slice(start, end).split('\n').length
  const visit = (node: unknown, assigned: string): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, start, end, id, key, body } = node as Part
    const name = id?.name ?? key?.name ?? assigned
    if (body && functionTypes.has(type)) found.push({ name: `${file} ${name}`, lines: countLines(start, end) })
    for (const child of Object.values(node)) visit(child, name)
  }
  visit(parseSync(file, source).program, '')
  return found
}

describe('functions', () => {
  test('are counted from their first line to their last', () => {
    const source = 'export const one = {\n  two() {\n    return () =>\n      3\n  },\n}\n'
    expect(findFunctions('a.ts', source)).toEqual([
      { name: 'a.ts two', lines: 4 },
      { name: 'a.ts two', lines: 2 },
    ])
  })

  test(`have at most ${mostLines} lines, but for a few`, () => {
    const files = globSync('**/*.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'))
    const all = files.flatMap((file) => findFunctions(file, readFileSync(join(root, file), 'utf8')))
    expect(all.length).toBeGreaterThan(5000)
    expect(all.filter(({ name, lines }) => lines > (longer[name] ?? mostLines))).toEqual([])
  })
})
