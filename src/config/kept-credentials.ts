import { ReltError } from '../errors.ts'
import { readConfig, writeConfig } from './config-file.ts'
import type { Env } from './env.ts'
import { openSecretStore } from './secret-store.ts'
import { credentialsOfEnv, type ServerFlags, selectServer } from './select-server.ts'

/** The stored secret of a signed-in user. */
export interface KeptCredentials {
  /** UUID of the key; undefined if unknown. */
  currentKeyUuid: () => Promise<string | undefined>
  /** Throws `usage` if relt does not manage the secret. */
  save: (key: { uuid: string; password: string }) => Promise<void>
}

/** Credentials stored for the selected server; undefined without a server. */
export function findKeptCredentials(flags: ServerFlags, env: Env): KeptCredentials | undefined {
  const config = readConfig(env)
  const selected = selectServer(flags, env, config)
  if (!selected) return undefined
  const { name, known } = selected
  const isKept = name !== undefined && known !== undefined && credentialsOfEnv(env) === undefined
  return {
    currentKeyUuid: async () => (isKept ? known.key_uuid : undefined),
    save: async ({ uuid, password }) => {
      if (!isKept) {
        throw new ReltError('usage', 'The credentials come from the environment, where nothing can be stored.', {
          hint: 'Leave out --store, and set RELT_PASSWORD to the new one.',
        })
      }
      const secret = await openSecretStore(env).put(known, password)
      writeConfig(env, { ...config, servers: new Map(config.servers).set(name, { ...known, secret, key_uuid: uuid }) })
    },
  }
}
