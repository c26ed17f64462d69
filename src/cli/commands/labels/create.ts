import type { LabelInput } from '../../../contract/label.ts'
import type { EveryKey } from '../../../util/every-key.ts'
import { ask } from '../../input/ask.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { parseColor } from './color.ts'

const grey = '#6e7781'

export default verb({
  name: 'create',
  summary: 'Create a label',
  examples: ['relt labels create edge', 'relt labels create edge --color 1f6feb'],
  args: [['[name]', 'name of the label']],
  options: {
    '--color <rrggbb>': { help: `color (default: ${grey})`, parse: parseColor },
  },
  run: async (cli, name, { color }) => {
    const label: EveryKey<LabelInput> = { label_name: name ?? (await ask(cli, 'name')), label_color: color ?? grey }
    const client = await cli.context.client()
    const answer = await client.call('createLabel', { body: label })
    await sayDone(cli, `Created the label ${label.label_name} (${answer.label_id})`, answer)
  },
})
