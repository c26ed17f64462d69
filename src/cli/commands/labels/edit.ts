import type { LabelInput } from '../../../contract/label.ts'
import { ReltError } from '../../../errors.ts'
import type { EveryKey } from '../../../util/every-key.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { parseColor } from './color.ts'
import { findLabel } from './find.ts'

export default verb({
  name: 'edit',
  summary: 'Change the name or color of a label',
  examples: ['relt labels edit edge --name network-edge', 'relt labels edit 3 --color 1f6feb'],
  args: [['[label]', 'name or id']],
  options: {
    '--name <name>': 'new name',
    '--color <rrggbb>': { help: 'new color', parse: parseColor },
  },
  run: async (cli, idOrName, { name, color }) => {
    if (name === undefined && color === undefined) {
      throw new ReltError('usage', 'Nothing to change.', { hint: 'Add --name or --color.' })
    }
    const label = await findLabel(cli, idOrName)
    const body: EveryKey<LabelInput> = { label_name: name ?? label.label_name, label_color: color ?? label.label_color }
    const client = await cli.context.client()
    const answer = await client.call('updateLabel', { params: { id: String(label.id) }, body })
    await sayDone(cli, `Changed the label ${label.label_name}: now ${body.label_name}, ${body.label_color}`, answer)
  },
})
