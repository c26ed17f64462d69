import type { Command } from 'commander'
import { credentialsOf } from '../../../client/server-options.ts'
import { readConfig } from '../../../config/config-file.ts'
import { selectServer } from '../../../config/select-server.ts'
import type { Context } from '../../../context.ts'
import { ReltError } from '../../../errors.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, type GlobalOptions, newCommand } from '../../program/command.ts'

export interface TokenOptions {
  yes?: boolean
}

export function createCommand(context: Context, run = runToken): Command {
  return newCommand('token', 'Print the secret of the current server, for scripts', [
    'relt auth token | docker secret create radar -',
    'relt auth token --server work --yes',
  ])
    .option('-y, --yes', 'print it also on a terminal, where others may look')
    .action((options, command) => run(cliOf(context, command), options, command.optsWithGlobals() as GlobalOptions))
}

export async function runToken(
  cli: Cli,
  options: TokenOptions,
  { local, server, insecureHttp }: GlobalOptions,
): Promise<void> {
  const { io } = cli
  const { env } = cli.context
  const selected = selectServer({ local, server, insecureHttp }, env, readConfig(env))
  if (!selected) {
    throw new ReltError('usage', 'The store on this machine has no secret.', { hint: 'Name a server: --server NAME' })
  }
  if (io.isTerminal && !options.yes) {
    throw new ReltError('usage', 'A secret is not printed on a terminal unasked.', {
      hint: 'Pipe it to where it is needed, or add --yes.',
    })
  }
  const credentials = await credentialsOf(selected, env)
  if (!credentials) {
    throw new ReltError('unauthenticated', `No secret of ${selected.url} is known.`, {
      hint: `Sign in: relt auth login ${selected.url}`,
    })
  }
  await show(cli, { body: credentials, verbatim: `${credentials.password}\n` })
}
