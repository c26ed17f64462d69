import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { configOption, withJob } from './options.ts'

export default verb({
  name: 'resume',
  summary: 'Resume a paused job',
  examples: ['relt agent resume nightly'],
  args: [['<job>', 'name of the job']],
  options: configOption,
  run: (cli, name, options) =>
    withJob(cli, name, options, async (view, job) => {
      await view.setPaused(job, false)
      await sayDone(cli, `Resumed ${name}`, { success: true, job: name, paused: false })
    }),
})
