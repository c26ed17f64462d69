import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'
import { keyOptions, wantedKey } from '../../keys/key-options.ts'
import { limitsText } from '../../keys/view.ts'
import { openAdmin } from '../command.ts'

export default verb({
  name: 'create',
  summary: 'Create an API key and show it once',
  examples: [
    'relt admin keys create ada --name "CI of the shop"',
    'relt admin keys create ada --name ci --scope upload --expires 90d --json',
  ],
  args: [['<user>', 'login name']],
  options: {
    '--name <name>': { help: 'name of the key', required: true },
    ...keyOptions(),
  },
  /** Only the password goes to standard output, so that a pipe gets nothing else. */
  run: async (cli, login, options) => {
    const { name: _, ...limits } = wantedKey(options.name, options, cli.context.now())
    const issued = await (await openAdmin(cli)).createKey(login, options.name, limits)
    say(cli, `Created key ${issued.item.uuid} of ${login}${limitsText(issued.item)}`)
    await show(cli, {
      body: { success: true, ...issued },
      text: () => `${issued.password}\n`,
      note: 'Save it now. It is not shown again.',
    })
  },
})
