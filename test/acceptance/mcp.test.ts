import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/cli.ts'
import { minimalEnv, reltFile } from '../helpers/process.ts'
import { makeSmallStore } from '../helpers/small-store.ts'

test.each([
  ['of 2025', { mode: 'legacy' }],
  ['of 2026-07-28', { mode: { pin: '2026-07-28' } }],
])('an assistant %s asks over stdio, and relt ends with it', async (_, versionNegotiation) => {
  const home = temporaryFolder()
  const runs = await makeSmallStore(home)
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation } as object)
  const env = { ...minimalEnv, RELT_HOME: home, RELT_KEYCHAIN: 'off' }
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [reltFile, 'mcp'], env }))
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('compare_runs')
  const answer = await client.callTool({ name: 'compare_runs', arguments: { to_run_id: runs.at(-1) } })
  expect(answer).toMatchObject({ structuredContent: { to: { run_id: runs.at(-1) }, from: { run_id: runs.at(-2) } } })
  await client.close()
})
