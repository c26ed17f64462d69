import type { StoredException } from '../../../contract/exception.ts'
import { ReltError } from '../../../errors.ts'
import { matchesFinding } from '../../../gate/stored-exception.ts'
import { dataColumns, drawColumns, drawSaid } from '../../../render/terminal/draw.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { allPages } from '../../../util/all-pages.ts'
import {
  effectTexts,
  endCause,
  exceptionColumns,
  exceptionTone,
  targetText,
  whereText,
} from '../../../views/exception.ts'
import { untilSaid } from '../../../views/finding.ts'
import { plainText, safe } from '../../../views/said.ts'
import { parseDaysOfYear } from '../../input/interval.ts'
import { renderDetails } from '../../output/details.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { pageOptions, pageQuery } from '../../output/page.ts'
import { sayDone } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { noun, verb } from '../../program/verb.ts'
import add from './add.ts'
import confirm from './confirm.ts'

const list = verb({
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
      include_matched: true,
      state: expired ? ('expired' as const) : ('active' as const),
      ...(expiring !== undefined && !expired && { expiring_days: expiring }),
    }
    const found = await cli.call('listExceptions', { query })
    const which = expired
      ? 'expired exceptions'
      : expiring === undefined
        ? 'exceptions'
        : `exceptions that expire within ${expiring} days`
    await show(cli, {
      body: found,
      rows: found.items,
      columns,
      page: found,
      empty: `No ${which}.${expired || expiring !== undefined ? '' : ' Add one: relt exceptions add FINDING --reason TEXT --until 90d'}`,
    })
  },
})

const showException = verb({
  name: 'show',
  summary: 'Show an exception',
  examples: ['relt exceptions show exc_2b7f0c9d4e1a65830f12', 'relt exceptions show exc_2b7f0c9d4e1a65830f12 --json'],
  args: [['<id>', 'id of the exception']],
  run: async (cli, id) => {
    const query = { include_matched: true }
    const exception = await cli.call('getException', { params: { exception_id: id }, query })
    await show(cli, { body: exception, text: (io) => renderException(io, exception) })
  },
})

const expire = verb({
  name: 'expire',
  summary: 'End an exception now',
  examples: [
    'relt exceptions expire exc_2b7f0c9d4e1a65830f12',
    'relt exceptions expire 3f2a91c4d07e',
    'relt exceptions expire exc_2b7f0c9d4e1a65830f12 --json',
  ],
  args: [['<id>', 'id of the exception, or of the finding that it accepts']],
  run: async (cli, id) => {
    const ended = await cli.call('expireException', {
      params: { exception_id: id.startsWith('exc_') ? id : await findOf(cli, id) },
    })
    await sayDone(cli, `Ended ${ended.exception_id}: ${targetText(ended)} counts again`, ended)
  },
})

/** The only exception that names the finding; those for a whole check or namespace are ended by id only. */
async function findOf(cli: Cli, fingerprint: string) {
  const { finding } = await cli.call('getFinding', { params: { fingerprint } })
  const active = await allPages((page) =>
    cli.call('listExceptions', { query: { page, per_page: 100, state: 'active' } }),
  )
  const own = active.filter((each) => matchesFinding(each, finding))
  const [first, ...others] = own.filter((each) => each.fingerprint !== null)
  if (first && others.length === 0) return first.exception_id
  const ids = own.map(({ exception_id }) => exception_id)
  if (ids.length === 0) throw new ReltError('not_found', `No active exception accepts the finding ${fingerprint}.`)
  throw new ReltError('conflict', `Name the exception of the finding ${fingerprint}: ${ids.join(', ')}.`)
}

export default noun({
  examples: [
    'relt exceptions add 3f2a91c4d07e --reason "Accepted by security" --until 90d',
    'relt exceptions list --expiring 14d',
  ],
  verbs: [add, list, showException, confirm, expire],
})

const listed = (['id', 'until', 'where', 'matches', 'matched', 'reason', 'by', 'since'] as const).map(
  (key) => exceptionColumns[key],
)

const columns = (io: Io) => (io.isTerminal ? drawColumns(io, listed) : dataColumns(listed))

function renderException(io: Io, exception: StoredException) {
  const { exception_id, state, reason, expires_on, next_release, created_at, created_by, ended_at, justification } =
    exception
  const { where, matches } = exceptionColumns
  const details: [string, string][] = [
    ['ID', io.color.bold(exception_id)],
    ['State', drawSaid(io, [safe(state, exceptionTone(exception))])],
    ['Matches', [matches.text(exception) ?? '', ...effectTexts(exception)].map(plain).join('\n')],
    [where.title, plain(whereText(exception))],
    ['Reason', plain(reason)],
    ...(justification === null ? [] : [['Justification', justification] satisfies [string, string]]),
    ['Until', plain(plainText(untilSaid({ expires_on, next_release_of: next_release?.name })))],
    ['Added', `${created_at} by ${plain(created_by)}`],
    ...(ended_at === null ? [] : [['Ended', `${ended_at} ${plain(endCause(exception))}`] satisfies [string, string]]),
  ]
  return renderDetails(io, details)
}
