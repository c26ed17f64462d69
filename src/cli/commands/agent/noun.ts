import { dataColumns, drawColumns } from '../../../render/terminal/draw.ts'
import { formatDuration } from '../../../util/duration.ts'
import { count } from '../../../util/words.ts'
import { agentColumns } from '../../../views/agent.ts'
import { show } from '../../output/output.ts'
import { warning } from '../../output/remarks.ts'
import { say, sayDone, warn } from '../../output/say.ts'
import { noun, verb } from '../../program/verb.ts'
import history from './history.ts'
import manifests from './manifests.ts'
import { configOption, readJobs, withJob } from './options.ts'
import run from './run.ts'
import status from './status.ts'
import { installOptions, unitOptions } from './unit-options.ts'

const install = verb({
  name: 'install',
  summary: 'Install and start the agent as a service',
  examples: ['relt agent install --user', 'sudo relt agent install --kubeconfig /etc/relt/kubeconfig'],
  options: unitOptions,
  run: async (cli, options) => {
    const wanted = await installOptions(cli, options, process.platform)
    const [{ readAgentConfig }, { installUnit }] = await Promise.all([
      import('../../../agent/read-config.ts'),
      import('../../../agent/install.ts'),
    ])
    const { jobs } = readAgentConfig(wanted.config)
    const { manager, file } = await installUnit(wanted)
    const undo = `relt agent uninstall${options.user ? ' --user' : ''}`
    say(cli, `Installed and started the agent with ${count(jobs.length, 'job')}: ${file}`)
    await show(cli, {
      body: { success: true, manager, file, undo },
      text: () => `${hints({ manager, isUser: wanted.isUser }).join('\n')}\nTo undo: ${undo}\n`,
    })
  },
})

function hints({ manager, isUser }: { manager: string; isUser: boolean }) {
  if (manager === 'launchd') return ['Log: ~/Library/Logs/relt-agent.log']
  if (manager === 'windows') return ['State: schtasks /query /tn relt-agent']
  if (!isUser) return ['Log: journalctl -u relt-agent', 'Secrets: /etc/relt/agent.env, a file that only root can read']
  return ['Log: journalctl --user -u relt-agent', 'To run it while you are logged out: loginctl enable-linger']
}

const listAgents = verb({
  name: 'list',
  summary: 'List the agents that report to the server, and silent clusters',
  examples: ['relt agent list', 'relt agent list --json'],
  run: async (cli) => {
    const body = await cli.call('listAgents', {})
    const { items, silent_clusters: silent } = body
    await show(cli, {
      body,
      rows: items,
      columns: (io, now) => {
        const columns = agentColumns(now)
        const all = shown.map((key) => columns[key])
        return io.isTerminal ? drawColumns(io, all, now) : dataColumns(all)
      },
      empty: 'No agent has reported to this server. Start one: relt agent run',
      remarks: silent.map(({ cluster_name, environment, expected_every, last_report_at }) =>
        warning(
          `No report of ${cluster_name} (${environment}) ${last_report_at ? `since ${last_report_at}` : 'has come yet'}, expected every ${formatDuration(expected_every)}.`,
        ),
      ),
    })
  },
})

const shown = ['host', 'version', 'last_heartbeat', 'jobs', 'failed', 'uploads_waiting'] as const

const trigger = verb({
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

const setPaused = (name: string, summary: string, paused: boolean) =>
  verb({
    name,
    summary,
    examples: [`relt agent ${name} nightly`],
    args: [['<job>', 'name of the job']],
    options: configOption,
    run: (cli, job, options) =>
      withJob(cli, job, options, async (view, found) => {
        await view.setPaused(found, paused)
        await sayDone(cli, `${paused ? 'Paused' : 'Resumed'} ${job}`, { success: true, job, paused })
      }),
  })

const pause = setPaused('pause', 'Skip a job until it is resumed', true)
const resume = setPaused('resume', 'Resume a paused job', false)

const check = verb({
  name: 'check',
  summary: 'Check the jobs of the agent, their policies and folders',
  examples: ['relt agent check', 'relt agent check --config /etc/relt/agent.yaml'],
  options: configOption,
  run: async (cli, options) => {
    const { file, jobs } = await readJobs(cli, options)
    const { checkFiles } = await import('../../../agent/check-files.ts')
    checkFiles(cli.context.env, jobs)
    say(cli, `${file}: ${count(jobs.length, 'job')}, no mistakes`)
    await show(cli, { body: { success: true, file, jobs: jobs.map(({ name }) => name) } })
  },
})

const uninstall = verb({
  name: 'uninstall',
  summary: 'Stop the agent and remove its service',
  examples: ['relt agent uninstall --user', 'sudo relt agent uninstall'],
  options: {
    '--user': 'remove the service of your own user',
  },
  run: async (cli, options) => {
    const { uninstallUnit } = await import('../../../agent/install.ts')
    const { manager, file } = await uninstallUnit(await installOptions(cli, options, process.platform))
    await sayDone(cli, `Stopped the agent and removed ${file}; its jobs, history and queued uploads remain`, {
      success: true,
      manager,
      file,
    })
  },
})

export default noun({
  examples: ['relt agent check', 'relt agent run'],
  verbs: [run, check, status, history, trigger, pause, resume, listAgents, install, uninstall, manifests],
})
