import type { Admin } from './admin/admin.ts'
import type { Client } from './client/client.ts'
import type { OnExchange } from './client/exchange.ts'
import type { Env } from './config/env.ts'
import type { KeptCredentials } from './config/kept-credentials.ts'
import type { ServerFlags } from './config/select-server.ts'
import type { ConfigSettings } from './config/settings.ts'
import { ReltError } from './errors.ts'
import type { ServeOptions } from './server/serve.ts'

/** The environment of a command, replaced in tests. */
export interface Context {
  env: Env
  stdin: NodeJS.ReadStream | NodeJS.ReadableStream
  stdout: NodeJS.WriteStream | NodeJS.WritableStream
  stderr: NodeJS.WriteStream | NodeJS.WritableStream
  /** Unix seconds. */
  now: () => number
  /** The settings of `relt config`. Throws `usage` if the file is invalid. */
  settings: () => Promise<ConfigSettings>
  /** Applies server options of the command line, before the client is opened. */
  select: (wish: ServerOptions) => void
  /** Client of the selected server, else of the local store; opened at the first call, closed by `main`. */
  client: () => Promise<Client>
  /** Client of the local store, whatever server is selected; opened at the first call, closed by `main`. */
  localClient: () => Promise<Client>
  /** The client's server and user; undefined for the local store. */
  server: () => Promise<NamedServer | undefined>
  /** A client of the server with this URL, with its own settings and credentials, for no other team; closed by `main`. */
  toClient: (
    url: string,
    options?: { timeoutMs?: number; team?: string | undefined },
  ) => Promise<{ client: Client; server: NamedServer }>
  /** The store in the folder, or in `RELT_HOME`, for administration; opened at the first call, closed by `main`. */
  admin: (folder?: string) => Promise<Admin>
  /** Stored credentials for the selected server; undefined without a server. */
  credentials: () => Promise<KeptCredentials | undefined>
  /** Serves the service over HTTP until the process is asked to end. */
  serve: (options: ServeOptions) => Promise<void>
}

/** A server and its user, without a secret; null if there is no name. */
interface NamedServer {
  name: string | null
  url: string
  user: string | null
  /** The chosen team. */
  team?: string
}

interface ServerOptions extends ServerFlags {
  /** Folder of the store to work on; then no server is used. */
  data?: string | undefined
  /** Login of a user of the store to act as; then no server is used. */
  as?: string | undefined
  /** Team to act for on a server. */
  team?: string | undefined
  /** Called for each request to a server. */
  onExchange?: OnExchange | undefined
}

interface Closable {
  close: () => Promise<void>
}

/** Opens resources at first use, and closes those that were opened. */
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
  surroundings: Pick<Context, 'env' | 'stdin' | 'stdout' | 'stderr'>,
  now = () => Math.floor(Date.now() / 1000),
): Context & { close: () => Promise<void> } {
  const { env, stdout, stderr } = surroundings
  let wish: ServerOptions = {}
  const opened = new Opened()
  return {
    env,
    // Opened lazily, because opening takes as long as a query, and most commands do not read it.
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
  return openLocalClient({ env, now }, wish)
}

async function openLocalClient(
  { env, now }: Pick<Context, 'env' | 'now'>,
  { data, as }: Pick<ServerOptions, 'data' | 'as'> = {},
): Promise<Client> {
  const { createLocalClient } = await import('./client/local.ts')
  return createLocalClient({ env, now, data, as })
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
