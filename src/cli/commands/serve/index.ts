import { join } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { writePrivateFile } from '../../../config/private-file.ts'
import { placeOfStore } from '../../../config/store-place.ts'
import type { Context } from '../../../context.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, newNoun } from '../../program/command.ts'

type ServeOptions = Parameters<Context['serve']>[0]

const levels: NonNullable<ServeOptions['logLevel']>[] = ['fatal', 'error', 'warn', 'info', 'debug', 'silent']

export function createCommand(context: Context, run = runServe): Command {
  return newNoun('serve', [
    'relt serve',
    'relt serve --host 0.0.0.0 --port 443 --tls-cert cert.pem --tls-key key.pem',
    'relt serve --host 0.0.0.0 --trust-proxy --data /var/lib/relt',
  ])
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on, 0 for any', readPort, 8787)
    .option(
      '--data <folder>',
      'data folder or postgres:// address of the store (default: RELT_HOME, or the platform default)',
    )
    .option(
      '--trust-proxy [proxies]',
      'trust X-Forwarded-* headers of this many proxies (default: 1), or of proxies in these CIDR networks',
    )
    .option('--tls-cert <file>', 'certificate chain, PEM')
    .option('--tls-key <file>', 'private key of the certificate, PEM')
    .option('--no-ui', 'serve the API only, without web pages')
    .option('--insecure-http', 'serve plain HTTP to other machines')
    .addOption(
      new Option(
        '--log-level <level>',
        'log level on standard error (default: the setting log_level, or info)',
      ).choices(levels),
    )
    .action((options, command) => run(cliOf(context, command), options))
}

export async function runServe(cli: Cli, options: ServeOptions): Promise<void> {
  const { context, io } = cli
  await context.serve({
    ...options,
    onListening: (url) => io.err(`Listening on ${url}\n`),
    onFirstAdmin: ({ team, ...account }, { hasLocalClusters }) => {
      sayFirstTeam(io, team, hasLocalClusters)
      if (!io.isTerminal) return saveFirstAdmin(cli, options, account)
      io.err('Created the first account. Its key signs in to the pages and the API, and is shown only once:\n')
      const text = () => `  login     ${account.login}\n  password  ${account.password}\n`
      return show({ ...cli, pager: false }, { body: account, text })
    },
  })
}

function sayFirstTeam(io: Cli['io'], team: string, hasLocalClusters: boolean): void {
  io.err(`Created the team ${team}. Its members share clusters: relt admin teams add-member ${team} LOGIN\n`)
  if (hasLocalClusters) {
    io.err(`To share the runs that are in this store already: relt admin adopt --local-user --team ${team}\n`)
  }
}

/** Output that is not a terminal ends up in a log, which more people read than may sign in as admin. */
function saveFirstAdmin(
  { context, io }: Cli,
  { data }: ServeOptions,
  account: { login: string; password: string },
): void {
  const file = join(placeOfStore(context.env, data).folder, 'first-admin.json')
  writePrivateFile(file, `${JSON.stringify(account)}\n`)
  io.err(`Created the first account. Its key is in ${file}: sign in, then delete the file.\n`)
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('Use a number from 0 to 65535.')
}
