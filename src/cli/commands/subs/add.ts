import { verb } from '../../program/verb.ts'
import { chooseProjects } from '../projects/resolve.ts'
import { toggleAll } from './toggle.ts'

export default verb({
  name: 'add',
  summary: 'Subscribe to projects',
  examples: ['relt subs add argo-cd', 'relt subs add argo-cd nginx 42'],
  args: [['[projects...]', 'slugs, names or ids']],
  run: async (cli, projects) => {
    await toggleAll(cli, projects.length > 0 ? projects : await chooseProjects(cli), true)
  },
})
