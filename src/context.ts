import type { Client } from './client/client.ts'
import type { Env } from './config/env.ts'

/** What a command gets from outside: tests give their own. */
export interface Context {
  env: Env
  stdin: NodeJS.ReadStream | NodeJS.ReadableStream
  stdout: NodeJS.WriteStream | NodeJS.WritableStream
  stderr: NodeJS.WriteStream | NodeJS.WritableStream
  /** Unix seconds. */
  now: () => number
  /** Opened at the first call, closed by `main`. */
  client: () => Promise<Client>
}

export function createContext(process: NodeJS.Process): Context & { close: () => Promise<void> } {
  const { env, stdin, stdout, stderr } = process
  const now = () => Math.floor(Date.now() / 1000)
  let client: Promise<Client> | undefined
  return {
    env,
    stdin,
    stdout,
    stderr,
    now,
    client: () => {
      client ??= import('./client/local.ts').then(({ createLocalClient }) => createLocalClient({ env, now }))
      return client
    },
    close: async () => (await client?.catch(() => undefined))?.close(),
  }
}
