import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { configOption, withJob } from './options.ts'

export default verb({
  name: 'pause',
  summary: 'Skip a job until it is resumed',
  examples: ['relt agent pause nightly'],
  args: [['<job>', 'name of the job']],
  options: configOption,
  run: (cli, name, options) =>
    withJob(cli, name, options, async (view, job) => {
      await view.setPaused(job, true)
      await sayDone(cli, `Paused ${name}`, { success: true, job: name, paused: true })
    }),
})
