import { join } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { writePrivateFile } from '../../../config/private-file.ts'
import { placeOfStore } from '../../../config/store-place.ts'
import { show } from '../../output/output.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'
import { verb } from '../../program/verb.ts'

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const

const options = {
  '--host <address>': { help: 'address to listen on', default: '127.0.0.1' },
  '--port <number>': { help: 'port to listen on, 0 for any', parse: readPort, default: 8787 },
  '--data <folder>': 'data folder or postgres:// address of the store (default: RELT_HOME, or the platform default)',
  '--trust-proxy [proxies]':
    'trust X-Forwarded-* headers of this many proxies (default: 1), or of proxies in these CIDR networks',
  '--tls-cert <file>': 'certificate chain, PEM',
  '--tls-key <file>': 'private key of the certificate, PEM',
  '--no-ui': 'serve the API only, without web pages',
  '--insecure-http': 'serve plain HTTP to other machines',
  '--log-level <level>': {
    help: 'log level on standard error (default: the setting log_level, or info)',
    choices: levels,
  },
} as const

export default verb({
  examples: [
    'relt serve',
    'relt serve --host 0.0.0.0 --port 443 --tls-cert cert.pem --tls-key key.pem',
    'relt serve --host 0.0.0.0 --trust-proxy --data /var/lib/relt',
  ],
  options,
  run: async (cli, options) => {
    const { context, io } = cli
    await context.serve({
      ...options,
      onListening: (url) => io.err(`Listening on ${url}\n`),
      onFirstAdmin: ({ team, ...account }, { hasLocalClusters }) => {
        sayFirstTeam(io, team, hasLocalClusters)
        if (!io.isTerminal) return saveFirstAdmin(cli, options, account)
        io.err('Created the first account. Its key signs in to the pages and the API, and is shown only once:\n')
        const text = () => `  login     ${account.login}\n  password  ${account.password}\n`
        return show(cli, { body: account, text })
      },
    })
  },
})

function sayFirstTeam(io: Cli['io'], team: string, hasLocalClusters: boolean) {
  io.err(`Created the team ${team}. Its members share clusters: relt teams add ${team} LOGIN\n`)
  if (hasLocalClusters) {
    io.err(`To share the runs that are in this store already: relt admin adopt --local-user --team ${team}\n`)
  }
}

/** Output that is not a terminal ends up in a log, which more people can read than should have the admin's password. */
function saveFirstAdmin(
  { context, io }: Cli,
  { data }: OptionsOf<typeof options>,
  account: { login: string; password: string },
) {
  const file = join(placeOfStore(context.env, data).folder, 'first-admin.json')
  writePrivateFile(file, `${JSON.stringify(account)}\n`)
  io.err(`Created the first account. Its key is in ${file}: sign in, then delete the file.\n`)
}

function readPort(text: string) {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('Use a number from 0 to 65535.')
}
