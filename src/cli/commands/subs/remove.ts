import { verb } from '../../program/verb.ts'
import { chooseSubscription } from './find.ts'
import { toggleAll } from './toggle.ts'

export default verb({
  name: 'remove',
  summary: 'Unsubscribe from projects and delete the settings',
  examples: ['relt subs remove argo-cd', 'relt subs remove argo-cd nginx 42'],
  args: [['[projects...]', 'slugs, names or ids']],
  run: async (cli, projects) => {
    await toggleAll(cli, projects.length > 0 ? projects : [await chooseSubscription(cli)], false)
  },
})
