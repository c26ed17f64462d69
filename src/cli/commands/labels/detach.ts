import { verb } from '../../program/verb.ts'
import { setAttached } from './attached.ts'

export default verb({
  name: 'detach',
  summary: 'Detach a label from subscriptions',
  examples: ['relt labels detach edge nginx', 'relt labels detach edge nginx istio 42'],
  args: [
    ['[label]', 'name or id'],
    ['[projects...]', 'slugs, names or ids of projects you are subscribed to'],
  ],
  run: (cli, label, projects) => {
    return setAttached(cli, label, projects, false)
  },
})
