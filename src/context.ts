import type { Admin } from './admin/admin.ts'
import type { Client } from './client/client.ts'
import type { OnExchange } from './client/exchange.ts'
import type { Env } from './config/env.ts'
import type { KeptCredentials } from './config/kept-credentials.ts'
import type { ServerFlags } from './config/select-server.ts'
import type { ConfigSettings } from './config/settings.ts'
import { ReltError } from './errors.ts'
import type { ServeOptions } from './server/serve.ts'

/** What a command gets from outside: tests give their own. */
export interface Context {
  env: Env
  stdin: NodeJS.ReadStream | NodeJS.ReadableStream
  stdout: NodeJS.WriteStream | NodeJS.WritableStream
  stderr: NodeJS.WriteStream | NodeJS.WritableStream
  /** Unix seconds. */
  now: () => number
  /** What `relt config` keeps. Throws `usage` when the file is broken. */
  settings: () => Promise<ConfigSettings>
  /** What the command line says of the server, before the client is opened. */
  select: (wish: ServerOptions) => void
  /** Of the selected server, else of the store on this machine; opened at the first call, closed by `main`. */
  client: () => Promise<Client>
  /** Of the store on this machine, whatever server is selected; opened at the first call, closed by `main`. */
  localClient: () => Promise<Client>
  /** Which server the client asks, and as whom; undefined for the store on this machine. */
  server: () => Promise<NamedServer | undefined>
  /** A client of the server at this address, by its own settings and credentials, for no other team; closed by `main`. */
  toClient: (
    url: string,
    options?: { timeoutMs?: number; team?: string | undefined },
  ) => Promise<{ client: Client; server: NamedServer }>
  /** The store of the folder, or of `RELT_HOME`, for its administration; opened at the first call, closed by `main`. */
  admin: (folder?: string) => Promise<Admin>
  /** A lock that one process has at a time; undefined while another one has it. */
  holdAlone: (file: string) => Promise<{ release: () => void } | undefined>
  /** Of the server that answers; none where this process does. */
  credentials: () => Promise<KeptCredentials | undefined>
  /** The service over HTTP, until the process is asked to end. */
  serve: (options: ServeOptions) => Promise<void>
}

/** A server and who asks it, without a secret; null where there is no name. */
export interface NamedServer {
  name: string | null
  url: string
  user: string | null
  /** The team that was chosen. */
  team?: string
}

interface ServerOptions extends ServerFlags {
  /** Folder of the store to work on; no server is asked then. */
  data?: string | undefined
  /** Team to act for on a server. */
  team?: string | undefined
  /** Hears of each request to a server. */
  onExchange?: OnExchange | undefined
}

interface Closable {
  close: () => Promise<void>
}

type ProcessStreams = Pick<Context, 'env' | 'stdin' | 'stdout' | 'stderr'>

/** Opens things at their first use, and closes those that were opened. */
class Opened {
  readonly #all: Promise<Closable>[] = []

  once<A extends unknown[], T extends Closable>(open: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
    let first: Promise<T> | undefined
    return (...args) => {
      if (!first) {
        first = open(...args)
        this.add(first)
      }
      return first
    }
  }

  add(one: Promise<Closable>): void {
    this.#all.push(one)
  }

  async close(): Promise<void> {
    for (const one of this.#all) await (await one.catch(() => undefined))?.close()
  }
}

/** `now` gives unix seconds. */
export function createContext(
  surroundings: ProcessStreams,
  now = () => Math.floor(Date.now() / 1000),
): Context & { close: () => Promise<void> } {
  const { env, stdout, stderr } = surroundings
  let wish: ServerOptions = {}
  const opened = new Opened()
  return {
    env,
    // Opening it takes as long as a query, and most commands read nothing.
    get stdin() {
      return surroundings.stdin
    },
    stdout,
    stderr,
    now,
    settings: async () => (await import('./config/config-file.ts')).readConfig(env).settings,
    select: (wanted) => {
      wish = wanted
    },
    client: opened.once(() => openClient(wish, { env, now })),
    localClient: opened.once(() => openLocalClient({ env, now })),
    server: async () => (await findServer(wish, env))?.named,
    toClient: async (url, options) => {
      const found = await findServer({ ...wish, local: false, data: undefined, server: url }, env)
      const { createRemoteClient } = await import('./client/remote.ts')
      const client = createRemoteClient({ ...found!.options, team: undefined, ...options, onExchange: wish.onExchange })
      opened.add(Promise.resolve(client))
      return { client, server: found!.named }
    },
    admin: opened.once(async (folder) => (await import('./admin/admin.ts')).openAdmin({ env, now, folder })),
    holdAlone: async (file) => (await import('./db/presence.ts')).holdAlone(file),
    credentials: async () => (await import('./config/kept-credentials.ts')).findKeptCredentials(wish, env),
    serve: async (options) => (await import('./server/serve.ts')).serve(options, { env, stderr, now }),
    close: () => opened.close(),
  }
}

async function openClient(wish: ServerOptions, { env, now }: Pick<Context, 'env' | 'now'>): Promise<Client> {
  const found = await findServer(wish, env)
  if (found) {
    const { createRemoteClient } = await import('./client/remote.ts')
    return createRemoteClient({ ...found.options, onExchange: wish.onExchange })
  }
  if (wish.team !== undefined) {
    throw new ReltError('usage', '--team needs a server: the store on this machine belongs to one user.')
  }
  return openLocalClient({ env, now }, wish.data)
}

async function openLocalClient({ env, now }: Pick<Context, 'env' | 'now'>, data?: string): Promise<Client> {
  const { createLocalClient } = await import('./client/local.ts')
  return createLocalClient({ env, now, data })
}

async function findServer(wish: ServerOptions, env: Env) {
  if (wish.data && wish.server !== undefined) {
    throw new ReltError('usage', '--data and --server cannot be combined.')
  }
  if ((wish.local || wish.data) && wish.server === undefined) return undefined
  const [{ readConfig }, { selectServer }] = await Promise.all([
    import('./config/config-file.ts'),
    import('./config/select-server.ts'),
  ])
  const config = readConfig(env)
  const server = selectServer(wish, env, config)
  if (!server) return undefined
  const { serverOptions, usernameFor } = await import('./client/server-options.ts')
  const team = wish.team ?? (env.RELT_TEAM || undefined)
  const user = usernameFor(server, env) ?? null
  const named: NamedServer = { name: server.name ?? null, url: server.url, user, ...(team !== undefined && { team }) }
  return { named, options: { ...serverOptions(server, env, config), team } }
}
