import { verb } from '../../program/verb.ts'
import { setAttached } from './attached.ts'

export default verb({
  name: 'attach',
  summary: 'Attach a label to subscriptions',
  examples: ['relt labels attach edge nginx', 'relt labels attach edge nginx istio 42'],
  args: [
    ['[label]', 'name or id'],
    ['[projects...]', 'slugs, names or ids of projects you are subscribed to'],
  ],
  run: (cli, label, projects) => {
    return setAttached(cli, label, projects, true)
  },
})
