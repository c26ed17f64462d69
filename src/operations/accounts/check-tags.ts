import type { Db } from '../../db/open.ts'
import * as store from '../../store/accounts/tag.ts'
import { localLogin } from '../../store/accounts/user.ts'
import type { Vault } from '../keys/vault.ts'
import { isTag, sleepingTag, tagOfFeed, tagOfKey, tagOfMember, tagOfPassword, tagOfRole, tagOfSession } from './tags.ts'

export interface ExpectedTag {
  place: store.TagPlace
  userId: number
  /** Describes what the row grants, as text for users. */
  what: string
  tag: Buffer
  stored: Uint8Array | null
}

/** Yields every row that needs a tag, with the tag that relt would compute: of one account, or of all. */
export async function* tagsFor(db: Db, vault: Vault, userId?: number): AsyncGenerator<ExpectedTag> {
  for await (const one of allTags(db, vault)) if (userId === undefined || one.userId === userId) yield one
}

async function* allTags(db: Db, vault: Vault): AsyncGenerator<ExpectedTag> {
  yield* tagsOfUsers(db, vault)
  for (const key of await store.listTaggedKeys(db)) {
    yield {
      place: { table: 'api_key', id: key.id },
      userId: key.userId,
      what: `API key ${key.uuid} of ${key.login}`,
      tag: tagOfKey(vault, key),
      stored: key.tag,
    }
  }
  for (const member of await store.listTaggedMembers(db)) {
    const { team, login, teamId, userId, role } = member
    yield {
      place: { table: 'team_member', teamId, userId },
      userId,
      what: `role ${role} of ${login} in team ${team}`,
      tag: tagOfMember(vault, member),
      stored: member.tag,
    }
  }
  for (const session of await store.listTaggedSessions(db)) {
    yield {
      place: { table: 'session', tokenHash: session.tokenHash },
      userId: session.userId,
      what: `session of ${session.login}`,
      tag: tagOfSession(vault, session),
      stored: session.tag,
    }
  }
  for (const feed of await store.listTaggedFeeds(db)) {
    yield {
      place: { table: 'feed', id: feed.id },
      userId: feed.userId,
      what: `feed ${feed.publicId} of ${feed.login}`,
      tag: tagOfFeed(vault, feed),
      stored: feed.tag,
    }
  }
}

/** Rows that grant access and that relt did not write; they have no effect. */
export async function findForeignGrants(db: Db, vault: Vault) {
  const found: string[] = []
  for await (const { what, tag, stored } of tagsFor(db, vault)) {
    if (!isTag(tag, stored) && !isTag(sleepingTag(vault, tag), stored)) found.push(`${what} was not written by relt`)
  }
  return found
}

async function* tagsOfUsers(db: Db, vault: Vault): AsyncGenerator<ExpectedTag> {
  for (const user of await store.listTaggedUsers(db)) {
    const { id, login, role, passwordHash, passwordTag, roleTag, ownerId } = user
    // The local user of the store has no admin rights on a server.
    if (role !== 'user' && login !== localLogin) {
      yield {
        place: { table: 'user', id, column: 'role_tag' },
        userId: id,
        what: `role ${role} of ${login}`,
        tag: tagOfRole(vault, { id, role }),
        stored: roleTag,
      }
    }
    if (passwordHash !== null) {
      yield {
        place: { table: 'user', id, column: 'password_tag' },
        userId: id,
        what: `password of ${login}`,
        tag: tagOfPassword(vault, { passwordHash, userId: id, ownerId }),
        stored: passwordTag,
      }
    }
  }
}
