import { fromJsonSchema } from '@modelcontextprotocol/server'
import { expect, test, vi } from 'vitest'
import { createMcpServer } from '../../src/mcp/server.ts'

vi.mock('@modelcontextprotocol/server', async (original) => {
  const library = await original<typeof import('@modelcontextprotocol/server')>()
  return { ...library, fromJsonSchema: vi.fn(library.fromJsonSchema) }
})

test('the schemas of tools are compiled once, not for each request', async () => {
  const options = { ask: () => Promise.reject(new Error('nothing is asked')), now: () => 0 }
  await createMcpServer(options)
  const compiled = vi.mocked(fromJsonSchema).mock.calls.length
  expect(compiled).toBeGreaterThan(10)
  await createMcpServer(options)
  expect(vi.mocked(fromJsonSchema)).toHaveBeenCalledTimes(compiled)
})
