import type { StoredException } from '../../../contract/exception.ts'
import { parseDaysOfYear } from '../../input/interval.ts'
import { show } from '../../output/output.ts'
import { pageOptions, pageQuery } from '../../output/page.ts'
import { verb } from '../../program/verb.ts'
import { columns } from './view.ts'

export default verb({
  name: 'list',
  summary: 'List exceptions, the next to expire first',
  examples: ['relt exceptions list', 'relt exceptions list --expiring 14d', 'relt exceptions list --expired --json'],
  options: {
    '--expired': 'list exceptions that have expired or were ended',
    '--expiring <days>': {
      help: 'list active exceptions that end within this time, such as 14d',
      parse: parseDaysOfYear,
    },
    ...pageOptions,
  },
  run: async (cli, options) => {
    const { expired, expiring } = options
    const query = {
      ...pageQuery(options),
      state: expired ? ('expired' as const) : ('active' as const),
      ...(expiring !== undefined && !expired && { expiring_days: expiring }),
    }
    const found = await cli.call('listExceptions', { query })
    const which = expired
      ? 'expired exceptions'
      : expiring === undefined
        ? 'exceptions'
        : `exceptions that expire within ${expiring} days`
    await show<StoredException>(cli, {
      body: found,
      rows: found.items,
      columns,
      page: found,
      empty: `No ${which}.${expired || expiring !== undefined ? '' : ' Add one: relt exceptions add FINDING --reason TEXT --until 90d'}`,
    })
  },
})
