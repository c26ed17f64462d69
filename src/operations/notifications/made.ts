import type { ApiKey } from '../../contract/api-key.ts'
import type { FeedAddress } from '../../contract/feed.ts'
import type { Db } from '../../db/open.ts'
import { findOwnKey, listKeys, removeKey } from '../../store/accounts/api-key.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import * as store from '../../store/accounts/made.ts'
import { removeMember } from '../../store/accounts/team.ts'
import type { User } from '../../store/accounts/user.ts'
import { listFeeds, removeFeed } from '../../store/notifications/feed.ts'

/** Everything created with a key or password, directly or through keys created with it. */
export interface Made {
  keys: ApiKey[]
  feeds: FeedAddress[]
  webhooks: store.MadeWebhook[]
  members: store.MadeMember[]
  /** Sessions of the keys. */
  sessions: number
}

/**
 * `maker` is the uuid of a key of the user, active or ended, or the maker id of their password. Things created with an ended
 * key are found through it. The replacement of a key is a child of that key's maker, not of the key; things created with
 * predecessors are included.
 */
export async function findMade(db: Db, userId: number, maker: string): Promise<Made> {
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
    sessions: found.size > 0 ? await store.countKeySessions(db, [...found]) : 0,
  }
}

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

export type EndedCounts = Record<'keys' | 'feeds' | 'webhooks' | 'members', number>

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
  const made = await findMade(trx, userId, maker)
  // A key that revokes itself was rotated: its replacement stays.
  const isHeir = ({ replaces }: ApiKey) => replaces === maker && by?.key?.uuid === maker
  const keys = made.keys.filter((key) => key.uuid !== by?.key?.uuid && !isHeir(key))
  return endAll(trx, { ...made, keys }, { userId, by, now, suffix: ` made by ${maker}` })
}

interface Things extends Pick<Made, 'keys' | 'feeds' | 'members'> {
  webhooks: Pick<store.MadeWebhook, 'id' | 'channel'>[]
}

async function endAll(
  trx: Db,
  { keys, feeds, webhooks, members }: Things,
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
  return { keys: keys.length, feeds: feeds.length, webhooks: webhooks.length, members: members.length }
}

/** Revokes a key, which may have ended already, and everything created with it. */
export async function endKey(trx: Db, ending: Ending): Promise<EndedCounts> {
  const ended = await endMade(trx, ending)
  if (await findOwnKey(trx, ending.userId, ending.maker)) await removeKey(trx, ending.maker, ending.userId)
  return ended
}

/** Revokes all keys, feeds and webhooks of an account; its memberships, and members it added to teams, stay. */
export async function endAllFor(trx: Db, ending: Omit<Ending, 'maker'>): Promise<EndedCounts> {
  const { userId } = ending
  const [keys, feeds] = [await listKeys(trx, userId), await listFeeds(trx, userId)]
  return endAll(trx, { keys, feeds, webhooks: await store.listWebhookIds(trx, userId), members: [] }, ending)
}
