import { verb } from '../../program/verb.ts'
import { setPaused } from './paused.ts'

export default verb({
  name: 'resume',
  summary: 'Resume notifications about projects',
  examples: ['relt subs resume argo-cd', 'relt subs resume argo-cd nginx'],
  args: [['[projects...]', 'slugs, names or ids']],
  run: (cli, projects) => setPaused(cli, projects, false),
})
