import { count } from '../../../util/words.ts'
import { show } from '../../output/output.ts'
import { say } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { configOption, readJobs } from './options.ts'

export default verb({
  name: 'check',
  summary: 'Check the jobs of the agent, their policies and folders',
  examples: ['relt agent check', 'relt agent check --config /etc/relt/agent.yaml'],
  options: {
    ...configOption,
  },
  run: async (cli, options) => {
    const { file, jobs } = await readJobs(cli, options)
    const { checkFiles } = await import('../../../agent/check-files.ts')
    checkFiles(cli.context.env, jobs)
    say(cli, `${file}: ${count(jobs.length, 'job')}, no mistakes`)
    await show(cli, { body: { success: true, file, jobs: jobs.map(({ name }) => name) } })
  },
})
