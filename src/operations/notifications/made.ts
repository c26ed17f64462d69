import type { ApiKey, MadeByKey } from '../../contract/api-key.ts'
import type { FeedAddress } from '../../contract/feed.ts'
import type { Db } from '../../db/open.ts'
import { findOwnKey, listKeys, removeKey } from '../../store/accounts/api-key.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import * as store from '../../store/accounts/made.ts'
import { removeMember } from '../../store/accounts/team.ts'
import { localLogin, type User } from '../../store/accounts/user.ts'
import { endException, listMadeExceptions } from '../../store/findings/exception.ts'
import { listFeeds, removeFeed } from '../../store/notifications/feed.ts'
import { listMadeBaselines, removeBaselinesSince } from '../../store/runs/baseline.ts'
import { getRunById } from '../../store/runs/run.ts'
import { listMadeSplits, type MadeSplit, removeSplit } from '../../store/runs/split.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import { findMadeEnds, undoEnd } from '../runs/ends.ts'

/**
 * Everything created with a key or password, directly or through keys created with it. Another kind of row with `made_by` is
 * found by `findMade`, ended by `endAll`, and shown by `toShown`; `forgetOrigins` keeps its makers.
 */
export interface Made {
  keys: ApiKey[]
  feeds: FeedAddress[]
  webhooks: store.MadeWebhook[]
  members: store.MadeMember[]
  exceptions: Awaited<ReturnType<typeof listMadeExceptions>>
  /** Subjects that were ended, by their latest run. */
  subjects: StoredRun[]
  /** Runs that were taken in as baselines of the gate. */
  baselines: StoredRun[]
  /** Splits of workloads, each with its run. */
  splits: (MadeSplit & { run: StoredRun })[]
  /** Sessions of the keys. */
  sessions: number
}

/**
 * `maker` is the uuid of a key of the user, active or ended, or the maker id of their password. Things created with an ended
 * key are found through it. The replacement of a key is a child of that key's maker, not of the key; things created with
 * predecessors are included.
 */
export async function findMade(db: Db, userId: number, maker: string, now: number): Promise<Made> {
  const origins = new Map((await store.listKeyOrigins(db, userId)).map((each) => [each.uuid, each]))
  const makers = new Set([maker, ...predecessorsFor(origins, maker).map(({ uuid }) => uuid)])
  const found = new Set<string>()
  const isChild = (key: store.KeyOrigin) =>
    !makers.has(key.uuid) &&
    [key, ...predecessorsFor(origins, key.uuid)].some(({ madeBy }) => madeBy !== null && makers.has(madeBy))
  for (;;) {
    const next = [...origins.values()].filter(isChild)
    if (next.length === 0) break
    for (const { uuid } of next) {
      found.add(uuid)
      makers.add(uuid)
    }
  }
  const all = [...makers]
  const feeds = new Set(await store.listMadeFeeds(db, userId, all))
  return {
    keys: (await listKeys(db, userId)).filter(({ uuid }) => found.has(uuid)),
    feeds: (await listFeeds(db, userId)).filter(({ feed_id }) => feeds.has(feed_id)),
    webhooks: await store.listMadeWebhooks(db, all),
    members: await store.listMadeMembers(db, all),
    exceptions: await listMadeExceptions(db, all, now),
    subjects: await findMadeEnds(db, all),
    baselines: await Promise.all((await listMadeBaselines(db, all)).map((id) => getRunById(db, id))),
    splits: await Promise.all(
      (await listMadeSplits(db, all)).map(async (each) => ({ ...each, run: await getRunById(db, each.runRowId) })),
    ),
    sessions: found.size > 0 ? await store.countKeySessions(db, [...found]) : 0,
  }
}

/** Converts it to the API's form. */
export function toShown({
  webhooks,
  members,
  exceptions,
  subjects,
  baselines,
  splits,
  ...made
}: Made): Omit<MadeByKey, 'success'> {
  return {
    ...made,
    webhooks: webhooks.map(({ channel, subscriptionId }) => ({ channel, subscription_id: subscriptionId })),
    members: members.map(({ team, login }) => ({ team, login })),
    exceptions: exceptions.map(({ exception_id, expires_on }) => ({ exception_id, expires_on })),
    subjects: subjects.map(toRunPlace),
    baselines: baselines.map(toRunPlace),
    splits: splits.map(({ run }) => toRunPlace(run)),
  }
}

const toRunPlace = ({ run: { run_id, cluster_name, environment, format } }: StoredRun) => ({
  run_id,
  cluster_name,
  environment,
  format,
})

/** Predecessors of a rotated key, the last one first. */
function predecessorsFor(origins: Map<string, store.KeyOrigin>, uuid: string) {
  const found: store.KeyOrigin[] = []
  for (let at = origins.get(uuid); at?.replaces; ) {
    at = origins.get(at.replaces)
    if (!at || found.includes(at)) break
    found.push(at)
  }
  return found
}

export type EndedCounts = Record<Exclude<keyof Made, 'sessions'>, number>

interface Ending {
  userId: number
  maker: string
  /** The caller; their own key is not revoked. */
  by: User | undefined
  now: number
}

/**
 * Revokes everything created with a key or password, with an audit entry for each. Call it in the transaction that revokes
 * the maker.
 */
export async function endMade(trx: Db, { userId, maker, by, now }: Ending): Promise<EndedCounts> {
  const made = await findMade(trx, userId, maker, now)
  // A key that revokes itself was rotated: its replacement stays.
  const isHeir = ({ replaces }: ApiKey) => replaces === maker && by?.key?.uuid === maker
  const keys = made.keys.filter((key) => key.uuid !== by?.key?.uuid && !isHeir(key))
  return endAll(trx, { ...made, keys }, { userId, by, now, suffix: ` made by ${maker}` })
}

interface Things extends Omit<Made, 'webhooks' | 'sessions'> {
  webhooks: Pick<store.MadeWebhook, 'id' | 'channel'>[]
}

async function endAll(
  trx: Db,
  { keys, feeds, webhooks, members, exceptions, subjects, baselines, splits }: Things,
  { userId, by, now, suffix = '' }: Omit<Ending, 'maker'> & { suffix?: string },
): Promise<EndedCounts> {
  const record = (action: string, what: string) =>
    recordAudit(trx, { at: now, user: by, action, subject: what + suffix, requestId: undefined })
  for (const { uuid } of keys) {
    await removeKey(trx, uuid, userId)
    await record('key.end', uuid)
  }
  for (const { feed_id } of feeds) {
    await removeFeed(trx, feed_id, userId)
    await record('feed.end', feed_id)
  }
  for (const { id, channel } of webhooks) {
    await store.removeWebhook(trx, id)
    await record('target.end', channel)
  }
  for (const { team, login, ...place } of members) {
    await removeMember(trx, place)
    await record('team.end-member', `${team}/${login}`)
  }
  for (const { exception_id, owner_id } of exceptions) {
    await endException(trx, owner_id, exception_id, { now, login: by?.login ?? localLogin })
    await record('exception.expire', exception_id)
  }
  for (const run of subjects) {
    await undoEnd(trx, run)
    await record('subject.begin', run.run.run_id)
  }
  for (const run of baselines) {
    await removeBaselinesSince(trx, run)
    await record('baseline.end', run.run.run_id)
  }
  for (const split of splits) {
    await removeSplit(trx, split)
    await record('finding.join', split.run.run.run_id)
  }
  return {
    keys: keys.length,
    feeds: feeds.length,
    webhooks: webhooks.length,
    members: members.length,
    exceptions: exceptions.length,
    subjects: subjects.length,
    baselines: baselines.length,
    splits: splits.length,
  }
}

/** Revokes a key, which may have ended already, and everything created with it. */
export async function endKey(trx: Db, ending: Ending): Promise<EndedCounts> {
  const ended = await endMade(trx, ending)
  if (await findOwnKey(trx, ending.userId, ending.maker)) await removeKey(trx, ending.maker, ending.userId)
  return ended
}

/** Revokes all keys, feeds and webhooks of an account; its memberships, and what it made for teams, stay. */
export async function endAllFor(trx: Db, ending: Omit<Ending, 'maker'>): Promise<EndedCounts> {
  const { userId } = ending
  const [keys, feeds] = [await listKeys(trx, userId), await listFeeds(trx, userId)]
  const kept = { members: [], exceptions: [], subjects: [], baselines: [], splits: [] }
  return endAll(trx, { keys, feeds, webhooks: await store.listWebhookIds(trx, userId), ...kept }, ending)
}
