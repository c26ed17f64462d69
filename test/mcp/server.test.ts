import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { fromJsonSchema } from '@modelcontextprotocol/server'
import { expect, test, vi } from 'vitest'
import { prompts } from '../../src/mcp/prompts.ts'
import { createMcpServer } from '../../src/mcp/server.ts'

vi.mock('@modelcontextprotocol/server', async (original) => {
  const library = await original<typeof import('@modelcontextprotocol/server')>()
  return { ...library, fromJsonSchema: vi.fn(library.fromJsonSchema) }
})

test('the schemas of tools and prompts are compiled once for all requests', async () => {
  const nothing = () => Promise.reject(new Error('nothing is asked'))
  const callOnce = async () => {
    const server = createMcpServer({ ask: nothing, answer: nothing })
    const [ours, theirs] = InMemoryTransport.createLinkedPair()
    await server.connect(ours)
    const client = new Client({ name: 'assistant', version: '1' })
    await client.connect(theirs)
    const { tools } = await client.listTools()
    await client.callTool({ name: 'fleet_status', arguments: {} })
    return [tools.length, vi.mocked(fromJsonSchema).mock.calls.length]
  }
  const [tools, compiled] = await callOnce()
  expect(tools).toBeGreaterThan(5)
  expect(compiled).toBe(tools! + prompts.length)
  expect(await callOnce()).toEqual([tools, compiled])
})
