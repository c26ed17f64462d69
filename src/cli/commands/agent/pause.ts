import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { configOption, readJobs } from './options.ts'

export default verb({
  name: 'pause',
  summary: 'Skip a job until it is resumed',
  examples: ['relt agent pause nightly'],
  args: [['<job>', 'name of the job']],
  options: {
    ...configOption,
  },
  run: async (cli, name, options) => {
    const { jobs } = await readJobs(cli, options)
    const { openAgentView, requireJob } = await import('../../../agent/view.ts')
    const view = await openAgentView(cli.context)
    try {
      await view.setPaused(requireJob(jobs, name), true)
      await sayDone(cli, `Paused ${name}`, { success: true, job: name, paused: true })
    } finally {
      await view.close()
    }
  },
})
