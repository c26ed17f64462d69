import { PassThrough } from 'node:stream'
import { runCommand } from '../../src/cli/root.ts'
import { createLocalClient } from '../../src/client/local.ts'
import type { Context } from '../../src/context.ts'
import { type CliResult, testNow } from './cli.ts'

interface TalkOptions {
  home: string
  env?: Record<string, string>
}

/** What is waited for on the screen, and what is typed then. `\r` is the key Enter, `\u001b[B` the arrow down. */
export type Step = [shown: string, typed: string]

/** Runs a command with a person at both ends, on a terminal of 80 columns. `stdout` holds what was drawn meanwhile, too. */
export async function talk(argv: string[], steps: Step[], options: TalkOptions): Promise<CliResult & { left: Step[] }> {
  const env = { RELT_HOME: options.home, RELT_KEYCHAIN: 'off', NO_COLOR: '1', ...options.env }
  const client = await createLocalClient({ env, now: () => testNow })
  const left = [...steps]
  const stdin = terminal()
  const stdout = terminal()
  const stderr = terminal()
  const texts = { stdout: '', stderr: '' }
  let unseen = ''
  stdout.on('data', (chunk) => {
    texts.stdout += chunk
    unseen += chunk
    if (!left[0] || !unseen.includes(left[0][0])) return
    unseen = ''
    const [, typed] = left.shift()!
    setImmediate(() => stdin.write(typed))
  })
  stderr.on('data', (chunk) => {
    texts.stderr += chunk
  })
  const context: Context = {
    env,
    stdin,
    stdout,
    stderr,
    now: () => testNow,
    client: async () => client,
    admin: () => Promise.reject(new Error('not used')),
    serve: async () => {},
  }
  const code = await runCommand(context, argv)
  await client.close()
  return { code, ...texts, left }
}

function terminal() {
  // Like the streams of a process, these stay open when a question has been asked on them.
  const stream = new PassThrough()
  return Object.assign(stream, { isTTY: true, columns: 80, setRawMode: () => {}, end: () => stream })
}
