import { verb } from '../../program/verb.ts'
import { runWebhooks } from '../subs/webhooks.ts'

export default verb({
  name: 'list',
  summary: 'List webhooks with shortened URLs',
  examples: ['relt webhooks list', 'relt webhooks list --json'],
  run: (cli) => runWebhooks(cli, 'relt webhooks set slack'),
})
