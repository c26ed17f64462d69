import { credentialsFor } from '../../../client/server-options.ts'
import { type Config, type KnownServer, readConfig, writeConfig } from '../../../config/config-file.ts'
import { openSecretStore } from '../../../config/secret-store.ts'
import { selectServer } from '../../../config/select-server.ts'
import { ReltError } from '../../../errors.ts'
import { confirm, yesOption } from '../../input/prompt.ts'
import { show } from '../../output/output.ts'
import { sayDone } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { noun, verb } from '../../program/verb.ts'
import login from './login.ts'
import status from './status.ts'

const switchTo = verb({
  name: 'switch',
  summary: 'Choose the server that commands use',
  examples: ['relt auth switch work', 'relt auth switch local'],
  args: [['[server]', 'name of the server; local for the store on this machine']],
  run: async (cli, wanted) => {
    const { context } = cli
    const config = readConfig(context.env)
    const name = wanted ?? (await choose(cli, [...config.servers.keys(), 'local'], config.settings.server))
    if (name !== 'local') getKnownServer(config, name)
    writeConfig(context.env, { ...config, settings: { ...config.settings, server: name } })
    const what = name === 'local' ? 'the store on this machine' : name
    await sayDone(cli, `Commands now use ${what}`, { success: true, server: name })
  },
})

async function choose({ io }: Cli, names: string[], current = 'local') {
  if (!io.isInteractive) {
    throw new ReltError('usage', 'No server was given.', { hint: `Choose one of ${names.join(', ')}.` })
  }
  const { select } = await import('@inquirer/prompts')
  const choices = names.map((name) => ({ value: name, name: name === current ? `${name} (current)` : name }))
  return select({ message: 'Server', choices, default: current }, io.questions)
}

const token = verb({
  name: 'token',
  summary: 'Print the API key of the current server',
  examples: ['relt auth token | docker secret create radar -', 'relt auth token --server work --yes'],
  options: {
    '-y, --yes': 'print the key even on a terminal',
  },
  run: async (cli, options) => {
    const { io } = cli
    const { env } = cli.context
    const selected = selectServer(cli.flags, env, readConfig(env))
    if (!selected) {
      throw new ReltError('usage', 'The store on this machine has no API key.', { hint: 'Add --server NAME.' })
    }
    if (io.isTerminal && !options.yes) {
      throw new ReltError('usage', 'Refusing to print a secret on a terminal.', {
        hint: 'Pipe it to another command, or add --yes.',
      })
    }
    const credentials = await credentialsFor(selected, env)
    if (!credentials) {
      throw new ReltError('unauthenticated', `No API key is stored for ${selected.url}.`, {
        hint: `Sign in: relt auth login ${selected.url}`,
      })
    }
    await show(cli, { body: credentials, verbatim: `${credentials.password}\n` })
  },
})

const logout = verb({
  name: 'logout',
  summary: 'Sign out of a server and delete the stored API key',
  examples: ['relt auth logout', 'relt auth logout work --yes'],
  args: [['[server]', 'name of the server (default: the current server)']],
  options: yesOption,
  run: async (cli, wanted, options) => {
    const { io } = cli
    const { env } = cli.context
    const config = readConfig(env)
    const [name, server] = getKnownServer(config, wanted)
    await confirm(cli, options, `Sign out of ${name} and delete the stored API key?`)
    const removed = await openSecretStore(env).remove(server)
    config.servers.delete(name)
    if (config.settings.server === name) delete config.settings.server
    writeConfig(env, config)
    await sayDone(cli, `Signed out of ${name}`, { success: true, name, secret_removed: removed })
    if (!removed) io.err('The keychain did not respond, so the API key is still in it.\n')
  },
})

export default noun({
  examples: ['relt auth login https://radar.example', 'relt auth status', 'relt auth switch local'],
  verbs: [login, logout, status, switchTo, token],
})

/** The server with this name, or the current one. Throws `not_found`. */
function getKnownServer({ servers, settings }: Config, wanted: string | undefined): [string, KnownServer] {
  const name = wanted ?? settings.server
  if (name === undefined || (wanted === undefined && name === 'local')) {
    throw new ReltError('not_found', 'You are not signed in to a server.', { hint: 'Sign in: relt auth login URL' })
  }
  const server = servers.get(name)
  if (server) return [name, server]
  const known = [...servers.keys()].join(', ')
  throw new ReltError('not_found', `No server named "${name}".`, {
    hint: known ? `Known servers: ${known}.` : 'Sign in: relt auth login URL',
  })
}
