import type { Credentials } from '../../../client/remote.ts'
import { connectionOptions } from '../../../client/server-options.ts'
import { type Config, readConfig } from '../../../config/config-file.ts'
import type { Context } from '../../../context.ts'
import { unlimited } from '../../../contract/choices.ts'
import type { ReceivedKey } from '../../../contract/received/api-key.ts'
import { ReltError } from '../../../errors.ts'
import { isObject } from '../../../util/json.ts'

export interface CheckedServer {
  login: string | undefined
  /** Undefined where it limits nothing. */
  plan: string | undefined
  /** The key that signs in, where the server says what it knows of it. */
  key: ReceivedKey['key']
  /** Team that the caller acts for, null for the own account; undefined on a server without teams. */
  team: ReceivedKey['team']
}

/** Checks credentials with the server. Throws the server's error if it refuses them. */
export async function checkServer(
  { env }: Pick<Context, 'env'>,
  server: { url: string; caFile: string | undefined; team?: string | undefined },
  credentials: () => Promise<Credentials | undefined>,
  config: Config = readConfig(env),
): Promise<CheckedServer> {
  const { createRemoteClient } = await import('../../../client/remote.ts')
  const client = createRemoteClient({
    ...connectionOptions(server, env, config.settings),
    team: server.team,
    credentials,
  })
  try {
    const current = () => client.call('getCurrentKey', {})
    let found: ReceivedKey | undefined
    // Other implementations return fewer fields; show those present.
    const answer = await client.request({ method: 'GET', path: '/dashboard' }).catch(async (error: unknown) => {
      // A key for uploads may not read the dashboard.
      if (!(error instanceof ReltError) || error.code !== 'forbidden') throw error
      const caller = await current().catch(() => Promise.reject(error))
      if (caller.key?.scope !== 'upload') throw error
      found = caller
      return caller
    })
    const { user_login, plan, limit } = isObject(answer) ? answer : {}
    // An extension: what other servers answer does not matter.
    found ??= await current().catch(() => undefined)
    return {
      login: toText(user_login),
      plan: limit === unlimited ? undefined : toText(plan),
      key: found?.key,
      team: found?.team,
    }
  } finally {
    await client.close()
  }
}

const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
