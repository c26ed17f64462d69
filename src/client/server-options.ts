import type { Config } from '../config/config-file.ts'
import type { Env } from '../config/env.ts'
import { credentialsOfEnv, credentialsOfScanner, type SelectedServer } from '../config/select-server.ts'
import { proxiesFor } from '../util/proxies.ts'
import type { Credentials, RemoteOptions } from './remote.ts'

/** Client options for a server: credentials, proxy and settings. */
export function serverOptions(server: SelectedServer, env: Env, { settings }: Config): RemoteOptions {
  return {
    ...connectionOptions(server, env, settings),
    credentials: () => credentialsFor(server, env),
  }
}

/** Like `serverOptions`, without credentials: for credentials about to be verified. */
export function connectionOptions(
  { url, caFile }: Pick<SelectedServer, 'url' | 'caFile'>,
  env: Env,
  settings: Config['settings'],
): RemoteOptions {
  return {
    url,
    caFile,
    proxies: proxiesFor(env),
    ...(settings.timeout !== undefined && { timeoutMs: settings.timeout * 1000 }),
  }
}

/** The user name for a server, without reading the secret. */
export function usernameFor({ known }: SelectedServer, env: Env) {
  return credentialsOfEnv(env)?.username ?? known?.username ?? credentialsOfScanner(env)?.username
}

/** Credentials for a server: the environment's, else stored ones, else the scanner's. */
export async function credentialsFor({ known }: SelectedServer, env: Env): Promise<Credentials | undefined> {
  const given = credentialsOfEnv(env)
  if (given || !known) return given ?? credentialsOfScanner(env)
  const { openSecretStore } = await import('../config/secret-store.ts')
  return { username: known.username, password: await openSecretStore(env).get(known) }
}
