import { webhookChannels } from '../../../contract/channels.ts'
import type { TeamDetails, TeamNotifications } from '../../../contract/team.ts'
import type { Db } from '../../../db/open.ts'
import { notFound, ReltError } from '../../../errors.ts'
import { addMember, setMemberRole } from '../../../operations/accounts/grant.ts'
import { isTag, type MemberGrant, tagOfMember } from '../../../operations/accounts/tags.ts'
import type { Vault } from '../../../operations/keys/vault.ts'
import { openWebhooks } from '../../../operations/notifications/webhook.ts'
import * as store from '../../../store/accounts/team.ts'
import { findUser, isOperator, localLogin, type User } from '../../../store/accounts/user.ts'
import { findDocument } from '../../../store/findings/owner-document.ts'
import { getNotificationSettings } from '../../../store/notifications/account-settings.ts'
import { countSubscriptions } from '../../../store/notifications/subscription.ts'
import { listWebhooks } from '../../../store/notifications/webhook.ts'
import { formatTimestamp } from '../../../util/time.ts'
import { change, type Handlers } from '../../handler.ts'

export const teamHandlers: Handlers<'team'> = {
  async getTeam({ db, vault }, { params, user }) {
    return describe(db, await vault(), { team: params.team, user })
  },

  async listTeamSubscriptions({ db, vault }, { params, query, user }) {
    const { teamId } = await getMembership(db, await vault(), { team: params.team, user })
    const choice = { page: query.page, perPage: query.per_page }
    return store.listFollowed(db, { teamId, projectId: query.product_id }, choice)
  },

  async addTeamMember({ vault }, { params, body, user }) {
    const keys = await vault()
    const asking = { team: params.team, user }
    return change('teams', async (trx) => {
      const { teamId } = await requireOwner(trx, keys, asking)
      const account = body.login === localLogin ? undefined : await findUser(trx, body.login)
      if (!account) throw notFound('account', body.login)
      const members = await store.listMembers(trx, teamId)
      if (members.some(({ login }) => login === body.login)) {
        throw new ReltError('conflict', `${body.login} is a member of team ${params.team} already.`, {
          hint: `Change the role: relt teams set-role ${params.team} ${body.login} ${body.role}`,
        })
      }
      await addMember(trx, keys, { teamId, userId: account.id, role: body.role }, user)
      return { success: true, ...(await describe(trx, keys, asking)) }
    })
  },

  async setTeamRole({ vault }, { params, body, user }) {
    const keys = await vault()
    const asking = { team: params.team, user }
    return change('teams', async (trx) => {
      const { teamId } = await requireOwner(trx, keys, asking)
      await setMemberRole(trx, keys, { teamId, userId: await getMember(trx, params.login), role: body.role })
      await requireAnOwner(trx, teamId, params.team)
      return { success: true, ...(await describe(trx, keys, asking)) }
    })
  },

  async removeTeamMember({ vault }, { params, user }) {
    const keys = await vault()
    const asking = { team: params.team, user }
    return change('teams', async (trx) => {
      const before = await describe(trx, keys, asking)
      const { teamId } = await requireOwner(trx, keys, asking)
      await store.removeMember(trx, { teamId, userId: await getMember(trx, params.login) })
      await requireAnOwner(trx, teamId, params.team)
      const items = before.items.filter(({ login }) => login !== params.login)
      return { success: true, ...before, members: items.length, items }
    })
  },
}

interface Asking {
  team: string
  user: User
}

async function describe(db: Db, vault: Vault, asking: Asking): Promise<TeamDetails> {
  const { teamId, ownerId, role } = await getMembership(db, vault, asking)
  const items = (await store.listMembers(db, teamId)).map(({ login, role }) => ({ login, role }))
  const notifications = await describeNotifications(db, vault, { teamId, ownerId })
  return { ...(await store.getTeam(db, asking.team)), role, items, notifications }
}

/** A team's notification addresses, shortened, and settings. */
async function describeNotifications(
  db: Db,
  vault: Vault,
  { teamId, ownerId }: Pick<MemberGrant, 'teamId' | 'ownerId'>,
): Promise<TeamNotifications> {
  const userId = await store.getAccountOfTeam(db, teamId)
  const { email, webhook_release_types: _, ...settings } = await getNotificationSettings(db, userId)
  const webhooksFor = await openWebhooks(async () => vault, await listWebhooks(db, [userId]))
  const webhooks = webhooksFor({ userId, subscriptionId: null })
  const policy = await findDocument(db, 'gate_policy', ownerId)
  return {
    email,
    channels: webhookChannels.flatMap(({ name, field }) => {
      const address = webhooks[field]?.toString()
      return address === undefined ? [] : [{ channel: name, address }]
    }),
    subscriptions: await countSubscriptions(db, userId),
    settings,
    gate_policy_changed_at: policy ? formatTimestamp(policy.changed_at) : null,
  }
}

/** A team that the user does not belong to looks like it does not exist. An operator owns all teams. */
async function getMembership(db: Db, vault: Vault, { team, user }: Asking): Promise<MemberGrant> {
  const userId = user.id
  if (isOperator(user)) {
    return {
      userId,
      teamId: await store.getTeamId(db, team),
      ownerId: await store.getTeamOwner(db, team),
      role: 'owner',
    }
  }
  const found = await store.findMembership(db, team, userId)
  if (!found || !isTag(tagOfMember(vault, { ...found, userId }), found.tag)) {
    throw new ReltError('not_found', `You are in no team named ${team}.`)
  }
  return { ...found, userId }
}

async function requireOwner(db: Db, vault: Vault, asking: Asking) {
  const { teamId, role } = await getMembership(db, vault, asking)
  if (role === 'owner') return { teamId }
  throw new ReltError('forbidden', `Only owners change the members of team ${asking.team}; your role is ${role}.`, {
    hint: `Ask an owner: relt teams show ${asking.team}`,
  })
}

/** Throws `not_found`. Whether the account is a member is checked when its row is changed. */
async function getMember(db: Db, login: string) {
  const user = await findUser(db, login)
  if (!user) throw notFound('member', login)
  return user.id
}

async function requireAnOwner(trx: Db, teamId: number, name: string) {
  const members = await store.listMembers(trx, teamId)
  if (members.some(({ role }) => role === 'owner')) return
  throw new ReltError('conflict', `Team ${name} would have no owner.`, { hint: 'Make another member an owner first.' })
}
