import { findingSeverities } from '../../../contract/choices.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { count, listed } from '../../../util/words.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { requireDay, toDay } from '../exceptions/until.ts'
import { onlyClusterOptions } from '../reports/cluster.ts'
import { findRunId, runForms } from '../reports/find-run.ts'

export default verb({
  name: 'baseline',
  summary: 'Take in what a run has: gates compare later runs with it',
  epilog:
    'What it takes in stays open and counts. Without --until, checks and namespaces that the run did not read are no longer expected.',
  examples: [
    'relt gate baseline --dry-run --reason "The new ingress is accepted"',
    'relt gate baseline crun_k3v7qd2m5x4aznle --reason "The new ingress is accepted" --until 30d',
  ],
  args: [['[run]', `${runForms} (default: the latest)`]],
  options: {
    ...onlyClusterOptions,
    '--reason <text>': { help: 'why it is taken in, for those who read the verdict', required: true },
    '--until <day>': {
      help: 'last day (UTC): a date, the next friday, or a time from today such as 30d',
      parse: requireDay,
    },
    '--dry-run': 'tell what it would take in',
  },
  run: async (cli, id, { reason, until, dryRun, ...place }) => {
    const run_id = await findRunId(cli, id, place)
    const day = until === undefined ? {} : { until: toDay(until, '--until', cli.context.now()) }
    const taken = await cli.call('takeInRun', { body: { run_id, reason, ...day, ...(dryRun && { dry_run: true }) } })
    const { takes_in, drops, cluster_name, environment, subject } = taken
    const counts = findingSeverities.filter((each) => takes_in[each] > 0).map((each) => `${takes_in[each]} ${each}`)
    const what = counts.length > 0 ? counts.join(', ') : 'no finding'
    const end = taken.until === null ? '' : ` until ${taken.until}`
    const about = `${subject ?? cluster_name} (${environment}), run ${run_id}`
    const dropped = drops.length > 0 ? `. ${count(drops.length, 'part')} no longer expected: ${listed(drops)}` : ''
    await sayDone(cli, plain(`${dryRun ? 'Would take in' : 'Took in'} ${what}${end}: ${about}${dropped}`), taken)
  },
})
