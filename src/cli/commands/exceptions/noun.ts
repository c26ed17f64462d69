import { ReltError } from '../../../errors.ts'
import { matchesFinding } from '../../../gate/stored-exception.ts'
import { allPages } from '../../../util/all-pages.ts'
import { targetText } from '../../../views/exception.ts'
import { show } from '../../output/output.ts'
import { sayDone } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { noun, verb } from '../../program/verb.ts'
import add from './add.ts'
import exportAll from './export.ts'
import list from './list.ts'
import { renderException } from './view.ts'

const showException = verb({
  name: 'show',
  summary: 'Show an exception',
  examples: ['relt exceptions show exc_2b7f0c9d4e1a65830f12', 'relt exceptions show exc_2b7f0c9d4e1a65830f12 --json'],
  args: [['<id>', 'id of the exception']],
  run: async (cli, id) => {
    const exception = await cli.call('getException', { params: { exception_id: id } })
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
    const client = await cli.context.client()
    const exception_id = id.startsWith('exc_') ? id : await findOf(cli, id)
    const ended = await client.call('expireException', { params: { exception_id } })
    await sayDone(cli, `Ended ${ended.exception_id}: ${targetText(ended)} counts again`, ended)
  },
})

/** The one exception that names the finding: one of a whole check or namespace is ended by its own id only. */
async function findOf(cli: Cli, fingerprint: string): Promise<string> {
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
  verbs: [add, list, showException, expire, exportAll],
})
