import { sayDone, warn } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { configOption, readJobs } from './options.ts'

export default verb({
  name: 'trigger',
  summary: 'Run a job now (needs a running agent)',
  examples: ['relt agent trigger nightly'],
  args: [['<job>', 'name of the job']],
  options: {
    ...configOption,
  },
  run: async (cli, name, options) => {
    const { jobs } = await readJobs(cli, options)
    const { openAgentView, requireJob } = await import('../../../agent/view.ts')
    const job = requireJob(jobs, name)
    const view = await openAgentView(cli.context)
    try {
      await view.trigger(job)
      const isRunning = view.isRunning()
      if (!isRunning) warn(cli.io, 'No agent is running. The job waits for the next start: relt agent run')
      await sayDone(cli, `Triggered ${name}`, { success: true, job: name, agent_running: isRunning })
    } finally {
      await view.close()
    }
  },
})
