import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { configOption, readJobs } from './options.ts'

export default verb({
  name: 'resume',
  summary: 'Resume a paused job',
  examples: ['relt agent resume nightly'],
  args: [['<job>', 'name of the job']],
  options: {
    ...configOption,
  },
  run: async (cli, name, options) => {
    const { jobs } = await readJobs(cli, options)
    const { openAgentView, requireJob } = await import('../../../agent/view.ts')
    const view = await openAgentView(cli.context)
    try {
      await view.setPaused(requireJob(jobs, name), false)
      await sayDone(cli, `Resumed ${name}`, { success: true, job: name, paused: false })
    } finally {
      await view.close()
    }
  },
})
