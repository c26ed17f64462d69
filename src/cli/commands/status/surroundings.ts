import type { RouteCaller } from '../../../client/client.ts'
import { daysOld } from '../../../contract/facts-age.ts'
import { expirySoonDays } from '../../../contract/thresholds.ts'
import { insteadOf } from '../../../errors.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { ago } from '../../../util/ago.ts'
import { daySeconds, formatDay, timestampOrNull } from '../../../util/time.ts'
import { count } from '../../../util/words.ts'
import { targetText } from '../../../views/exception.ts'
import { plainText } from '../../../views/said.ts'
import { sourcesNote, sourcesSaid } from '../../../views/sources.ts'
import { catalogRemark, warning } from '../../output/remarks.ts'
import type { Cli } from '../../program/command.ts'
import type { LoadedClusters } from '../clusters/load.ts'

/** Things other than clusters that need attention. */
export async function findSurroundings(cli: Cli) {
  return {
    /** Undefined if the server does not support it. */
    service: await cli.call('getStatus', {}).catch(insteadOf('not_found', undefined)),
    /** Null if the server does not store exceptions. */
    exceptions: await findExpiring(cli).catch(insteadOf('not_found', null)),
    policy: await findExpiringInPolicy(cli.context.now()),
    spool: await findWaiting(cli),
  }
}

type Surroundings = Awaited<ReturnType<typeof findSurroundings>>

export function surroundingRemarks(
  { service, exceptions, policy, spool }: Surroundings,
  clusters: LoadedClusters['items'],
  now: number,
) {
  return [
    ...sourceRemarks(service),
    ...staleRemarks(clusters, now),
    ...endedRemarks(exceptions),
    ...exceptionRemarks(exceptions),
    ...policyRemarks(policy),
    ...spoolRemarks(spool, now),
  ]
}

/** Warns about stale facts about what runs. */
function staleRemarks(clusters: LoadedClusters['items'], now: number) {
  const [oldest] = clusters.flatMap(({ freshness }) => freshness?.catalog_date ?? []).sort()
  return daysOld(oldest, now) > 0 ? [catalogRemark(oldest, now)] : []
}

function sourceRemarks(status: Surroundings['service']) {
  if (!status) return [warning('The server does not say whether its sources answer.')]
  const note = sourcesNote(status.sources)
  return note ? [warning(plain(`${plainText(note.said)} ${plainText(sourcesSaid(status.sources))}.`))] : []
}

/** The owner's exceptions that expire soon, earliest first. `ended`: since yesterday, so that their findings count again. */
async function findExpiring(client: RouteCaller) {
  const { total, items } = await client.call('listExceptions', { query: { expiring_days: expirySoonDays } })
  const past = await client.call('listExceptions', { query: { state: 'expired', ended_days: 1, per_page: 100 } })
  const ended = past.items.filter(({ ended_by }) => ended_by === null)
  return {
    total,
    items: items.map(({ exception_id, expires_on, reason }) => ({ exception_id, expires_on, reason })),
    ended: ended.map((each) => {
      const { exception_id, expires_on, ended_at, next_release } = each
      const ended = ended_at && next_release ? `${next_release.name} ${next_release.version}` : expires_on
      return { exception_id, expires_on, about: targetText(each), ended }
    }),
  }
}

function endedRemarks(exceptions: Surroundings['exceptions']) {
  const [first, ...more] = exceptions?.ended ?? []
  if (!first) return []
  const others = more.length > 0 ? `, and ${count(more.length, 'more exception')}` : ''
  return [
    warning(
      `No longer accepted since ${plain(first.ended)}: ${plain(first.about)}${others}. See \`relt exceptions list --expired\`.`,
    ),
  ]
}

function exceptionRemarks(exceptions: Surroundings['exceptions']) {
  const [first] = exceptions?.items ?? []
  if (!exceptions || !first) return []
  const expiring = count(exceptions.total ?? exceptions.items.length, 'exception')
  return [
    warning(
      `${expiring} of the gate within ${expirySoonDays} days of the end, the first on ${first.expires_on} (${first.reason}). See \`relt exceptions list\`.`,
    ),
  ]
}

/**
 * Exceptions in the policy file of this folder that have expired or soon will, earliest first; null without a file. `items`
 * is null if the file is invalid.
 */
async function findExpiringInPolicy(now: number) {
  const { defaultPolicyFile: file, hasDefaultPolicy, loadExceptions } = await import('../gate/options.ts')
  if (!hasDefaultPolicy()) return null
  const last = formatDay(now + expirySoonDays * daySeconds)
  const all = await loadExceptions({}).catch(insteadOf('gate_undecided', null))
  const items = all
    ?.filter(({ expires }) => expires <= last)
    .sort((a, b) => a.expires.localeCompare(b.expires))
    .map(({ source, expires: expires_on, reason }) => ({ source, expires_on, reason }))
  return { file, items: items ?? null }
}

function policyRemarks(policy: Surroundings['policy']) {
  if (!policy) return []
  const { file, items } = policy
  if (!items) return [warning(`${file} cannot be used as a policy. See \`relt gate check\`.`)]
  const [first] = items
  if (!first) return []
  const which = `${count(items.length, 'exception')} of ${file} expired or within ${expirySoonDays} days of the end`
  return [warning(`${which}, the first on ${first.expires_on} (${first.source}: ${first.reason}).`)]
}

/** Uploads queued on this machine, for any server. */
async function findWaiting(cli: Cli) {
  const { openSpool } = await import('../spool/open.ts')
  const spool = openSpool(cli)
  const entries = spool.list()
  const times = entries.map(({ created }) => created).sort((a, b) => a - b)
  return {
    uploads: entries.length,
    oldest: timestampOrNull(times[0]),
    refused: entries.filter(({ attempts }) => attempts.refused).length,
    unreadable: spool.listBroken().length,
  }
}

function spoolRemarks({ uploads, oldest, refused, unreadable }: Surroundings['spool'], now: number) {
  const first = oldest === null ? '' : ` (${uploads === 1 ? '' : 'the oldest '}queued ${ago(oldest, now)})`
  return [
    ...(uploads > 0
      ? [warning(`${count(uploads, 'upload')} ${uploads === 1 ? 'is' : 'are'} waiting${first}. Send: relt spool send`)]
      : []),
    ...(refused > 0 ? [warning(`${count(refused, 'upload')} refused by the server. See \`relt spool list\`.`)] : []),
    ...(unreadable > 0 ? [warning(`${count(unreadable, 'upload')} unreadable. See \`relt spool list\`.`)] : []),
  ]
}
