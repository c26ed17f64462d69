import type { Credentials } from '../../../client/remote.ts'
import { connectionOptions } from '../../../client/server-options.ts'
import { type Config, readConfig } from '../../../config/config-file.ts'
import type { Context } from '../../../context.ts'
import { unlimited } from '../../../contract/choices.ts'
import type { ReceivedKey } from '../../../contract/received/api-key.ts'
import { ReltError } from '../../../errors.ts'
import { isObject } from '../../../util/json.ts'

/** Verifies credentials with the server. Throws the server's error if it rejects them. */
export async function checkServer(
  { env }: Context,
  server: { url: string; caFile: string | undefined; team?: string | undefined },
  credentials: () => Promise<Credentials | undefined>,
  config: Config = readConfig(env),
) {
  const { createRemoteClient } = await import('../../../client/remote.ts')
  const client = createRemoteClient({
    ...connectionOptions(server, env, config.settings),
    team: server.team,
    credentials,
  })
  try {
    const current = () => client.call('getCurrentKey', {})
    let found: ReceivedKey | undefined
    // Other implementations return fewer fields; shows those present.
    const answer = await client.request({ method: 'GET', path: '/dashboard' }).catch(async (error: unknown) => {
      // An upload key may not read the dashboard.
      if (!(error instanceof ReltError) || error.code !== 'forbidden') throw error
      const caller = await current().catch(() => Promise.reject(error))
      if (caller.key?.scope !== 'upload') throw error
      found = caller
      return caller
    })
    const { user_login, plan, limit } = isObject(answer) ? answer : {}
    // An extension: errors from other servers are ignored.
    found ??= await current().catch(() => undefined)
    return {
      login: toText(user_login),
      /** Undefined if the server has no plans. */
      plan: limit === unlimited ? undefined : toText(plan),
      /** The API key in use, if the server returns it. */
      key: found?.key,
      /** Team that the caller acts for, null for their own account; undefined on a server without teams. */
      team: found?.team,
    }
  } finally {
    await client.close()
  }
}

const toText = (value: unknown) => (typeof value === 'string' ? value : undefined)
