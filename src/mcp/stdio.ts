import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { answerNamed } from './answer.ts'
import { createMcpServer } from './server.ts'
import type { Ask } from './tool.ts'

const maxMessageBytes = 1024 * 1024

/** Serves MCP over the streams until the input ends. */
export async function serveMcp(
  { ask, now }: { ask: Ask; now: () => number },
  { stdin, stdout }: { stdin: NodeJS.ReadableStream; stdout: NodeJS.WritableStream },
) {
  const transport = new StdioServerTransport(stdin as Readable, stdout as Writable, { maxBufferSize: maxMessageBytes })
  const ended = new Promise<void>((resolve) => {
    stdin.once('end', resolve)
    stdin.once('close', resolve)
  })
  const serving = serveStdio(
    () => createMcpServer({ ask, answer: (tool, args) => answerNamed(tool, args, { ask, now: now() }) }),
    { transport },
  )
  await ended
  await serving.close()
}
