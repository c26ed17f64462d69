import { ReltError } from '../../../errors.ts'
import { exceptionsOfRun } from '../../../gate/exception.ts'
import { formatTimestamp } from '../../../util/time.ts'
import { version } from '../../../version.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { clusterOptions } from '../reports/cluster.ts'
import { findRunId, runForms } from '../reports/find-run.ts'

export default verb({
  name: 'export',
  summary: 'Export exceptions of advisories as an OpenVEX document',
  examples: [
    'relt exceptions export --openvex > relt.openvex.json',
    'relt exceptions export --openvex --cluster prod-eu --author security@example.com',
  ],
  args: [['[run]', `run whose artifacts are the products: ${runForms} (default: the latest run)`]],
  options: {
    ...clusterOptions(),
    '--openvex': 'write OpenVEX 0.2.0',
    '--author <name>': 'author of the document (default: relt)',
  },
  epilog: '`relt gate vex` adds the exceptions of the policy file.',
  run: async (cli, id, options) => {
    if (!options.openvex)
      throw new ReltError('usage', 'The option --openvex is missing: it names the format of the file.')
    const { context } = cli
    const client = await context.client()
    const run_id = await findRunId(cli, id, options)
    const run = await client.call('getReport', { params: { run_id } })
    const { findStoredExceptions } = await import('../../../submit/stored-exceptions.ts')
    const stored = await findStoredExceptions(client)
    if (!stored) throw new ReltError('not_found', 'The server stores no exceptions.')
    const freshness = await client.call('reportFreshness', { params: { run_id } })
    const { toVex } = await import('../../../gate/vex.ts')
    const { author = 'relt' } = options
    const body = toVex(freshness, exceptionsOfRun(stored, run), {
      now: formatTimestamp(context.now()),
      version,
      author,
    })
    // The document is data, also on a terminal.
    await show(cli.format === 'table' ? { ...cli, format: 'json' } : cli, { body })
  },
})
