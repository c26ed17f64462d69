import type { Admin } from './client/admin.ts'
import type { Client } from './client/client.ts'
import type { Env } from './config/env.ts'
import type { ServeOptions } from './server/serve.ts'

/** The secret that a person signs in with, as it is kept. */
export interface Credentials {
  /** Of the key whose secret it is; undefined when that is not known. */
  currentKeyUuid: () => Promise<string | undefined>
  save: (key: { uuid: string; password: string }) => Promise<void>
}

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
  /** The store of the folder, or of `RELT_HOME`, for its administration; opened at the first call, closed by `main`. */
  admin: (folder?: string) => Promise<Admin>
  /** Of the server that answers; none where this process does. */
  credentials?: Credentials
  /** The service over HTTP, until the process is asked to end. */
  serve: (options: ServeOptions) => Promise<void>
}

export function createContext(process: NodeJS.Process): Context & { close: () => Promise<void> } {
  const { env, stdin, stdout, stderr } = process
  const now = () => Math.floor(Date.now() / 1000)
  let client: Promise<Client> | undefined
  let admin: Promise<Admin> | undefined
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
    admin: (folder) => {
      admin ??= import('./client/admin.ts').then(({ openAdmin }) => openAdmin({ env, now, folder }))
      return admin
    },
    serve: async (options) => (await import('./server/serve.ts')).serve(options, { env, stderr, now }),
    close: async () => {
      for (const opened of [client, admin]) await (await opened?.catch(() => undefined))?.close()
    },
  }
}
