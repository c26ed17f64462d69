import { ReltError } from '../errors.ts'
import type { Config, KnownServer } from './config-file.ts'
import type { Env } from './env.ts'
import { readServerUrl } from './server-url.ts'

/** Command line options. */
export interface ServerFlags {
  local?: boolean | undefined
  /** A name or URL. */
  server?: string | undefined
  insecureHttp?: boolean | undefined
}

/** The server that receives requests. */
export interface SelectedServer {
  /** Undefined for a URL that no known server has. */
  name: string | undefined
  url: string
  known: KnownServer | undefined
  caFile: string | undefined
  /** The origin of the choice. */
  by: '--server' | 'RELT_SERVER' | 'config'
}

/** From the command line, else the environment, else the settings; undefined is the local store. Throws `usage`. */
export function selectServer(flags: ServerFlags, env: Env, config: Config): SelectedServer | undefined {
  if (flags.local && flags.server !== undefined) {
    throw new ReltError('usage', '--local and --server cannot be combined.')
  }
  if (flags.local) return undefined
  const [wanted, by] = wantedBy(flags, env, config)
  if (wanted === undefined || wanted === 'local') return undefined
  const known = findServer(config, wanted)
  const insecureHttp = flags.insecureHttp === true || known?.server.insecure_http === true
  const url = readServerUrl(known?.server.url ?? wanted, { insecureHttp })
  const named = [...config.servers].map(([name, server]) => ({ name, server }))
  const byUrl = known ?? named.find(({ server }) => server.url === url)
  const caFile = byUrl?.server.ca_file ?? (env.RELT_CA_FILE || config.settings.ca_file)
  return { name: byUrl?.name, url, known: byUrl?.server, caFile, by }
}

/** Username and password in the environment, for all servers. Throws `usage` if one of them is missing. */
export function credentialsOfEnv(env: Env) {
  const { RELT_USERNAME: username, RELT_PASSWORD: password } = env
  if (!username && !password) return undefined
  if (username && password) return { username, password }
  throw new ReltError('usage', 'RELT_USERNAME and RELT_PASSWORD must be set together, and one is missing.')
}

/** Credentials in KubeBuddy's variables: for a server without other credentials. */
export function credentialsOfScanner(env: Env) {
  const { KUBEBUDDY_RADAR_API_USER: username, KUBEBUDDY_RADAR_API_PASSWORD: password } = env
  return username && password ? { username, password } : undefined
}

function wantedBy(flags: ServerFlags, env: Env, { settings }: Config): [string | undefined, SelectedServer['by']] {
  if (flags.server !== undefined) return [flags.server, '--server']
  if (env.RELT_SERVER) return [env.RELT_SERVER, 'RELT_SERVER']
  return [settings.server, 'config']
}

/** Finds a server by name; otherwise the text must be a URL. */
function findServer({ servers }: Config, wanted: string) {
  const server = servers.get(wanted)
  if (server) return { name: wanted, server }
  if (/[.:/]/.test(wanted) || wanted === 'localhost') return undefined
  const names = [...servers.keys()].join(', ')
  throw new ReltError('usage', `No server named "${wanted}".`, {
    hint: names ? `Known servers: ${names}.` : 'Sign in: relt auth login URL',
  })
}
