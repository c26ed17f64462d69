import type { Connect } from '../../../agent/perform.ts'
import { ReltError } from '../../../errors.ts'
import { show } from '../../output/output.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'
import { openSpool } from '../spool/open.ts'
import { configOption } from './options.ts'

export default verb({
  name: 'run',
  summary: 'Run jobs on schedule until stopped',
  examples: ['relt agent run', 'relt agent run --config /etc/relt/agent.yaml', 'relt agent run --once'],
  options: {
    '--once': 'run the jobs that are due and waiting, then exit; exit code 1 if one fails',
    ...configOption,
  },
  run: async (cli, { config, once = false }) => {
    const { context } = cli
    const [{ runAgent }, { agentConfigFile }, { createLogger, readLogLevel }, { systemClock }] = await Promise.all([
      import('../../../agent/run-agent.ts'),
      import('../../../agent/read-config.ts'),
      import('../../../util/log.ts'),
      import('../../../agent/clock.ts'),
    ])
    const { env, now, stderr } = context
    const [stop, hurry] = [new AbortController(), new AbortController()]
    const onStop = () => (stop.signal.aborted ? hurry : stop).abort()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onStop)
    try {
      const result = await runAgent({
        env,
        clock: systemClock(now),
        connect: toConnections(cli),
        isLocal: async (server) => server === 'local' || (server === undefined && !(await context.server())),
        connectTo: (url, team) => context.toClient(url, { team }),
        logger: createLogger(stderr, readLogLevel(env)),
        file: config ?? agentConfigFile(env),
        once,
        signal: stop.signal,
        hurry: hurry.signal,
        onReady: (reload) => process.on('SIGHUP', () => void reload()),
      })
      if (once) await show(cli, { body: { success: result.failed === 0, ...result } })
      if (once && result.failed > 0) {
        throw new ReltError('job_failed', `${result.failed} of ${result.failed + result.done} jobs failed.`, {
          hint: 'Show the reasons: relt agent history',
        })
      }
    } finally {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onStop)
      process.removeAllListeners('SIGHUP')
    }
  },
})

/** Returns one client per server in the jobs. */
function toConnections(cli: Cli): Connect {
  const { context } = cli
  const spool = () => openSpool(cli)
  return async (name) => {
    if (name === 'local') return { client: await context.localClient(), server: undefined, spool: undefined }
    if (name !== undefined) return { ...(await context.toClient(name)), spool: spool() }
    const server = await context.server()
    return { client: await context.client(), server, spool: server && spool() }
  }
}
