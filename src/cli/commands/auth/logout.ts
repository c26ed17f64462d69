import type { Command } from 'commander'
import { readConfig, writeConfig } from '../../../config/config-file.ts'
import { SecretStore } from '../../../config/secret-store.ts'
import type { Context } from '../../../context.ts'
import { confirmOrRefuse } from '../../input/prompt.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { getKnownServer } from './known-server.ts'

export interface LogoutOptions {
  yes?: boolean
}

export function createCommand(context: Context, run = runLogout): Command {
  return newCommand('logout', 'Sign out of a server and delete the stored API key', [
    'relt auth logout',
    'relt auth logout work --yes',
  ])
    .argument('[server]', 'name of the server (default: the current server)')
    .option('-y, --yes', 'skip the confirmation prompt')
    .action((name, options, command) => run(cliOf(context, command), name, options))
}

export async function runLogout(cli: Cli, wanted: string | undefined, options: LogoutOptions): Promise<void> {
  const { io } = cli
  const { env } = cli.context
  const config = readConfig(env)
  const [name, server] = getKnownServer(config, wanted)
  if (!options.yes) await confirmOrRefuse(io, `Sign out of ${name} and delete the stored API key?`)
  const removed = await new SecretStore(env).remove(server)
  config.servers.delete(name)
  if (config.settings.server === name) delete config.settings.server
  writeConfig(env, config)
  await sayDone(cli, `Signed out of ${name}`, { success: true, name, secret_removed: removed })
  if (!removed) io.err('The keychain did not respond, so the API key is still in it.\n')
}
