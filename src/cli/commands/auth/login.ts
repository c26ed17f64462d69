import { resolve } from 'node:path'
import { configFile, type KnownServer, readConfig, writeConfig } from '../../../config/config-file.ts'
import { openSecretStore } from '../../../config/secret-store.ts'
import { readServerUrl } from '../../../config/server-url.ts'
import { readServerName } from '../../../config/settings.ts'
import { ReltError } from '../../../errors.ts'
import { orUsage } from '../../input/or-usage.ts'
import { readSecret, secretFile } from '../../input/secret.ts'
import { sayDone } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'
import { checkServer } from './check-server.ts'
import { expiryRemarks } from './expiry-remarks.ts'

export default verb({
  name: 'login',
  summary: 'Sign in to a server and make it the current server',
  examples: [
    'relt auth login https://radar.example',
    'pass show radar | relt auth login https://radar.example --name work --username ada --secret-file -',
  ],
  args: [['[url]', 'URL of the server, or name of a known server']],
  options: {
    '--name <name>': 'name for the server (default: its host)',
    '--username <login>': 'login name (default: RELT_USERNAME)',
    '--ca-file <file>': 'also trust the certificates in this PEM file, for this server only',
    ...secretFile('API key'),
  },
  run: async (cli, address, options) => {
    const { context, io, flags } = cli
    const { env } = context
    const config = readConfig(env)
    const wanted = address ?? flags.server ?? (env.RELT_SERVER || (await ask(cli, 'Server URL', 'URL')))
    const known = config.servers.get(wanted)
    const insecureHttp = flags.insecureHttp === true || known?.insecure_http === true
    const url = readServerUrl(known?.url ?? wanted, { insecureHttp })
    const name = nameFor(options.name ?? (known ? wanted : new URL(url).host.replaceAll(/[^a-z0-9.]+/gi, '-')))
    const username =
      options.username ?? (env.RELT_USERNAME || known?.username || (await ask(cli, 'Login name', '--username')))
    if (username.includes(':')) throw new ReltError('usage', 'A login name cannot contain a colon.')
    const { secretFile: file } = options
    const secret = file === undefined ? await askSecret(cli, 'API key') : await readSecret(cli, file, 'API key')

    const old = config.servers.get(name)
    const ownCaFile = options.caFile === undefined ? old?.ca_file : resolve(options.caFile)
    const caFile = ownCaFile ?? (env.RELT_CA_FILE || config.settings.ca_file)
    const { plan, key } = await checkServer(context, { url, caFile }, async () => ({ username, password: secret }))

    const secrets = openSecretStore(env)
    const place = await secrets.put({ url, username }, secret)
    // Removes the secret from its former location, if that differs.
    if (old && (old.url !== url || old.username !== username || old.secret !== place)) await secrets.remove(old)
    const server: KnownServer = {
      url,
      username,
      secret: place,
      ...(insecureHttp && { insecure_http: true }),
      ...(ownCaFile !== undefined && { ca_file: ownCaFile }),
    }
    const servers = new Map(config.servers).set(name, server)
    writeConfig(env, { ...config, settings: { ...config.settings, server: name }, servers })

    const message = `Signed in to ${name} (${url}) as ${username}${plan ? `, plan ${plan}` : ''}`
    await sayDone(cli, message, { name, ...server, current: true })
    for (const { text } of expiryRemarks(name, key, context.now())) io.err(`${io.errColor.yellow(text)}\n`)
    if (place === 'file')
      io.err(
        `No keychain is available. The API key is stored encrypted, in a file that only you can read:\n${secrets.file}\n`,
      )
    if (env.RELT_SERVER && env.RELT_SERVER !== name)
      io.err(`RELT_SERVER is set and takes precedence over ${configFile(env)}.\n`)
  },
})

function nameFor(text: string) {
  return orUsage(`"${text}" is not a valid server name.`, () => {
    if (text === 'local') throw new Error('a name other than local, which is the store on this machine')
    return readServerName(text)
  })
}

async function ask({ io }: Cli, message: string, option: string) {
  if (!io.isInteractive) throw nobodyToAsk(message, option)
  const { input } = await import('@inquirer/prompts')
  return (await input({ message, required: true }, io.questions)).trim()
}

async function askSecret({ io }: Cli, message: string) {
  if (!io.isInteractive) throw nobodyToAsk(message, '--secret-file')
  const { password } = await import('@inquirer/prompts')
  const secret = await password({ message, mask: true }, io.questions)
  if (secret === '') throw new ReltError('usage', 'No API key was given.')
  return secret
}

function nobodyToAsk(what: string, option: string) {
  return new ReltError('usage', `${what} is missing, and there is no terminal for a prompt.`, {
    hint: `Add ${option}.`,
  })
}
