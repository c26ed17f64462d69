import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { fromJsonSchema } from '@modelcontextprotocol/server'
import { expect, test, vi } from 'vitest'
import { createMcpServer } from '../../src/mcp/server.ts'

vi.mock('@modelcontextprotocol/server', async (original) => {
  const library = await original<typeof import('@modelcontextprotocol/server')>()
  return { ...library, fromJsonSchema: vi.fn(library.fromJsonSchema) }
})

test('the schema of a tool is compiled when it is needed, and once for all requests', async () => {
  const nothing = () => Promise.reject(new Error('nothing is asked'))
  const callTwice = async () => {
    const server = await createMcpServer({ ask: nothing, answer: nothing })
    const [ours, theirs] = InMemoryTransport.createLinkedPair()
    await server.connect(ours)
    const client = new Client({ name: 'assistant', version: '1' })
    await client.connect(theirs)
    const { tools } = await client.listTools()
    const compiled = vi.mocked(fromJsonSchema).mock.calls.length
    for (let i = 0; i < 2; i++) await client.callTool({ name: 'fleet_status', arguments: {} })
    return { tools: tools.length, compiled }
  }
  expect(await callTwice()).toEqual({ tools: expect.toSatisfy((many) => many > 5), compiled: 0 })
  expect(vi.mocked(fromJsonSchema)).toHaveBeenCalledTimes(1)
  expect(await callTwice()).toMatchObject({ compiled: 1 })
  expect(vi.mocked(fromJsonSchema)).toHaveBeenCalledTimes(1)
})
