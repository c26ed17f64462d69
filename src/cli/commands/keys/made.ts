import type { RouteCaller } from '../../../client/client.ts'
import type { MadeByKey } from '../../../contract/api-key.ts'
import { insteadOf } from '../../../errors.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { count } from '../../../util/words.ts'
import { whereText } from '../../../views/exception.ts'
import type { Io } from '../../output/io.ts'

type Made = Omit<MadeByKey, 'success'>

/** Everything created with a key. Undefined if the server does not support it. */
export function findMade(client: RouteCaller, uuid: string): Promise<Made | undefined> {
  return client.call('listMade', { params: { uuid } }).catch(insteadOf('not_found', undefined))
}

/** One line for each item. */
function madeLines({ keys, feeds, webhooks, members, exceptions, subjects, baselines, splits }: Made) {
  return [
    ...keys.map(({ uuid, name }) => `key ${uuid}, ${name}`),
    ...feeds.map(({ feed_id }) => `feed ${feed_id}`),
    ...webhooks.map(({ channel, subscription_id: id }) =>
      id === null ? `${channel} webhook of the account` : `${channel} webhook of subscription ${id}`,
    ),
    ...members.map(({ team, login }) => `${login} in team ${team}`),
    ...exceptions.map(({ exception_id, expires_on }) => `exception ${exception_id} until ${expires_on}`),
    ...splits.map((run) => `split of a workload in ${whereText(run)}, ${run.run_id}`),
    ...baselines.map((run) => `baseline that ${run.format} made in ${whereText(run)}, ${run.run_id}`),
    ...subjects.map((run) => `end of what ${run.format} scanned in ${whereText(run)}, ${run.run_id}`),
  ]
}

/** Lists what was created with a key, and returns the number of items. */
export function sayMade(io: Io, made: Made | undefined, what = 'it') {
  const lines = made ? madeLines(made) : []
  if (lines.length === 0) return 0
  io.err(`Made with ${what}:\n`)
  for (const line of lines) io.err(`  ${plain(line)}\n`)
  return lines.length
}

export const things = (number: number) => count(number, 'thing')
