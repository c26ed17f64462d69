import type { Credentials } from '../../client/remote.ts'
import { type Config, readConfig } from '../../config/config-file.ts'
import { connectionOptions } from '../../config/server-options.ts'
import type { Context } from '../../context.ts'
import { isObject } from '../../util/json.ts'

export interface CheckedServer {
  login: string | undefined
  plan: string | undefined
}

/** Asks the server who these credentials are. Throws what the server says when it does not take them. */
export async function checkServer(
  { env }: Pick<Context, 'env'>,
  server: { url: string; caFile: string | undefined },
  credentials: () => Promise<Credentials | undefined>,
  config: Config = readConfig(env),
): Promise<CheckedServer> {
  const { createRemoteClient } = await import('../../client/remote.ts')
  const client = createRemoteClient({ ...connectionOptions(server, env, config.settings), credentials })
  try {
    // Other implementations answer with fewer fields: what is there is told.
    const answer = await client.request({ method: 'GET', path: '/dashboard' })
    const { user_login, plan } = isObject(answer) ? answer : {}
    return { login: textOf(user_login), plan: textOf(plan) }
  } finally {
    await client.close()
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
