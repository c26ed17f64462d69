import { expect, test } from 'vitest'
import { answerTool, maxCharacters } from '../../src/mcp/answer.ts'
import type { Tool } from '../../src/mcp/tool.ts'
import { safe } from '../../src/views/said.ts'

const rows = Array.from({ length: 57 }, (_, id) => ({ id, text: 'x'.repeat(3000) }))
const schema = {
  type: 'object',
  properties: {
    items: { type: 'array', items: { properties: { id: { type: 'integer' }, text: { type: 'string' } } } },
  },
}

const toTool = (hasPages: boolean): Tool => ({
  ...{ name: 'x', title: 'X', description: 'X', route: 'listFindings', properties: {}, lists: ['items'] },
  ...(hasPages && { hasPages }),
  async ask(_, __, { rows: { offset, limit } }) {
    const start = Math.floor(offset / limit) * limit
    const items = hasPages ? rows.slice(start, start + limit) : rows
    return { about: {}, answer: { items }, said: [safe('Rows.')], ...(hasPages && { total: rows.length }) }
  },
})

test.each([
  [true, 100],
  [true, 40],
  [true, 7],
  [false, 100],
  [false, 7],
])('each row comes once, however few fit into an answer (pages: %s, limit %s)', async (hasPages, limit) => {
  const seen: number[] = []
  let cursor: string | undefined
  for (let calls = 0; calls < 100; calls++) {
    const { structured } = await answerTool(
      toTool(hasPages),
      { limit, ...(cursor !== undefined && { cursor }) },
      { ask: (async () => ({})) as never, schema, now: 0 },
    )
    expect(JSON.stringify(structured).length).toBeLessThanOrEqual(maxCharacters)
    seen.push(...(structured.items as { id: number }[]).map(({ id }) => id))
    cursor = (structured.next_cursor as string | null) ?? undefined
    if (cursor === undefined) break
  }
  expect(seen).toEqual(rows.map(({ id }) => id))
})
