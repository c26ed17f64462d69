import { sayDone, warn } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { configOption, withJob } from './options.ts'

export default verb({
  name: 'trigger',
  summary: 'Run a job now (needs a running agent)',
  examples: ['relt agent trigger nightly'],
  args: [['<job>', 'name of the job']],
  options: configOption,
  run: (cli, name, options) =>
    withJob(cli, name, options, async (view, job) => {
      await view.trigger(job)
      const isRunning = view.isRunning()
      if (!isRunning) warn(cli.io, 'No agent is running. The job waits for the next start: relt agent run')
      await sayDone(cli, `Triggered ${name}`, { success: true, job: name, agent_running: isRunning })
    }),
})
