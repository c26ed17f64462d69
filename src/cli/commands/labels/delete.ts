import { confirm, yesOption } from '../../input/prompt.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { findLabel } from './find.ts'

export default verb({
  name: 'delete',
  summary: 'Delete a label and detach it from all subscriptions',
  examples: ['relt labels delete edge', 'relt labels delete 3 --yes'],
  args: [['[label]', 'name or id']],
  options: yesOption,
  run: async (cli, idOrName, { yes }) => {
    const { id, label_name, subscription_count } = await findLabel(cli, idOrName)
    await confirm(cli, { yes }, `Delete the label ${label_name}? Subscriptions that have it: ${subscription_count}.`)
    const client = await cli.context.client()
    const answer = await client.call('deleteLabel', { params: { id: String(id) } })
    await sayDone(cli, `Deleted the label ${label_name}`, answer)
  },
})
