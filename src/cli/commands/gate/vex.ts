import { exceptionsOfRun } from '../../../gate/exception.ts'
import { findStoredExceptions } from '../../../submit/stored-exceptions.ts'
import { formatTimestamp } from '../../../util/time.ts'
import { version } from '../../../version.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { onlyClusterOptions } from '../reports/cluster.ts'
import { runForms } from '../reports/find-run.ts'
import { defaultRuns, findGateRuns } from './find-runs.ts'
import { loadExceptions } from './options.ts'

export default verb({
  name: 'vex',
  summary: 'Export accepted advisories as an OpenVEX document',
  examples: [
    'relt gate vex > relt.openvex.json',
    'relt gate vex --policy relt.yaml --cluster prod-eu --author security@example.com',
  ],
  args: [['[run]', `${runForms} (default: ${defaultRuns})`]],
  options: {
    ...onlyClusterOptions,
    '--policy <file>': 'YAML file with exceptions under the key gate (default: relt.yaml, if it exists)',
    '--author <name>': 'author of the document (default: relt)',
  },
  run: async (cli, id, options) => {
    const inFile = await loadExceptions(options)
    const runIds = await findGateRuns(cli, id, options)
    const run = await cli.call('getReport', { params: { run_id: runIds[0] } })
    const stored = (await findStoredExceptions(await cli.context.client())) ?? []
    const exceptions = exceptionsOfRun([...inFile, ...stored], run)
    const freshness = await Promise.all(runIds.map((run_id) => cli.call('reportFreshness', { params: { run_id } })))
    const items = freshness.flatMap((each) => each.items)
    const { toVex } = await import('../../../gate/vex.ts')
    const made = { now: formatTimestamp(cli.context.now()), version, author: options.author ?? 'relt' }
    // The document is data, also on a terminal.
    await show(cli.format === 'table' ? { ...cli, format: 'json' } : cli, { body: toVex({ items }, exceptions, made) })
  },
})
