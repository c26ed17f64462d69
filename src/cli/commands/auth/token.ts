import { credentialsFor } from '../../../client/server-options.ts'
import { readConfig } from '../../../config/config-file.ts'
import { selectServer } from '../../../config/select-server.ts'
import { ReltError } from '../../../errors.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'token',
  summary: 'Print the API key of the current server',
  examples: ['relt auth token | docker secret create radar -', 'relt auth token --server work --yes'],
  options: {
    '-y, --yes': 'print the key even on a terminal',
  },
  run: async (cli, options) => {
    const { io } = cli
    const { local, server, insecureHttp } = cli.flags
    const { env } = cli.context
    const selected = selectServer({ local, server, insecureHttp }, env, readConfig(env))
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
