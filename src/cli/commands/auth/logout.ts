import { readConfig, writeConfig } from '../../../config/config-file.ts'
import { SecretStore } from '../../../config/secret-store.ts'
import { confirm, yesOption } from '../../input/prompt.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { getKnownServer } from './known-server.ts'

export default verb({
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
    const removed = await new SecretStore(env).remove(server)
    config.servers.delete(name)
    if (config.settings.server === name) delete config.settings.server
    writeConfig(env, config)
    await sayDone(cli, `Signed out of ${name}`, { success: true, name, secret_removed: removed })
    if (!removed) io.err('The keychain did not respond, so the API key is still in it.\n')
  },
})
