import { readConfig } from '../../../config/config-file.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'list',
  summary: 'List aliases and the commands they run',
  examples: ['relt alias list', 'relt alias list --json'],
  run: async (cli) => {
    const aliases = Array.from(readConfig(cli.context.env).aliases, ([name, command]) => ({ name, command }))
    await show(cli, {
      body: { success: true, items: aliases },
      rows: aliases,
      columns: () => [
        { title: 'Alias', value: ({ name }) => name },
        { title: 'Command', value: ({ command }) => command, min: 20 },
      ],
      empty: "No aliases yet. Create one: relt alias set fresh 'reports freshness'",
    })
  },
})
