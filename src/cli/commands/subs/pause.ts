import { verb } from '../../program/verb.ts'
import { setPaused } from './paused.ts'

export default verb({
  name: 'pause',
  summary: 'Pause notifications about projects',
  examples: ['relt subs pause argo-cd', 'relt subs pause argo-cd nginx'],
  args: [['[projects...]', 'slugs, names or ids']],
  run: (cli, projects) => setPaused(cli, projects, true),
})
