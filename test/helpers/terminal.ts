import { PassThrough } from 'node:stream'
import { runCommand } from '../../src/cli/program/root.ts'
import { createLocalClient } from '../../src/client/local.ts'
import { createRemoteClient, type RemoteOptions } from '../../src/client/remote.ts'
import type { Context } from '../../src/context.ts'
import { type CliResult, testNow } from './cli.ts'

interface TalkOptions {
  home: string
  /** In place of the store on this machine. */
  server?: RemoteOptions
  env?: Record<string, string>
}

/** What is waited for on the screen, and what is typed then. `\r` is the key Enter, `\u001b[B` the arrow down. */
export type Step = [shown: string, typed: string]

/** The last that a question draws. */
const cursorShown = '\u001b[?25h'

/**
 * Runs a command with a person at both ends, on a terminal of 80 columns. `stderr` holds the questions as they were drawn,
 * `said` what came after the last of them.
 */
export async function talk(
  argv: string[],
  steps: Step[],
  options: TalkOptions,
): Promise<CliResult & { said: string; left: Step[] }> {
  const env = { RELT_HOME: options.home, RELT_KEYCHAIN: 'off', NO_COLOR: '1', ...options.env }
  const { server } = options
  const client = server ? createRemoteClient(server) : await createLocalClient({ env, now: () => testNow })
  const left = [...steps]
  const stdin = terminal()
  const stdout = terminal()
  const stderr = terminal()
  const texts = { stdout: '', stderr: '' }
  let unseen = ''
  stdout.on('data', (chunk) => {
    texts.stdout += chunk
  })
  stderr.on('data', (chunk) => {
    texts.stderr += chunk
    unseen += chunk
    if (!left[0] || !unseen.includes(left[0][0])) return
    unseen = ''
    const [, typed] = left.shift()!
    setImmediate(() => stdin.write(typed))
  })
  const context: Context = {
    env,
    stdin,
    stdout,
    stderr,
    now: () => testNow,
    settings: async () => ({}),
    select: () => {},
    client: async () => client,
    localClient: async () => client,
    admin: () => Promise.reject(new Error('not used')),
    credentials: async () => undefined,
    server: async () => server && { name: null, url: server.url, user: 'ada' },
    toClient: () => Promise.reject(new Error('not used')),
    serve: async () => {},
  }
  const code = await runCommand(context, argv)
  await client.close()
  return { code, ...texts, said: texts.stderr.split(cursorShown).at(-1)!, left }
}

function terminal() {
  // Like the streams of a process, these stay open when a question has been asked on them.
  const stream = new PassThrough()
  return Object.assign(stream, { isTTY: true, columns: 80, setRawMode: () => {}, end: () => stream })
}
