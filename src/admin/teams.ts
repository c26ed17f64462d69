import { Email } from '../contract/account.ts'
import { TeamName, type TeamRole } from '../contract/team.ts'
import type { Db } from '../db/open.ts'
import { invalidParams, ReltError } from '../errors.ts'
import { addMember } from '../operations/accounts/grant.ts'
import { adopt } from '../operations/fleet/adopt.ts'
import type { Service } from '../service/service.ts'
import { getOwnAccount } from '../store/accounts/owner.ts'
import * as store from '../store/accounts/team.ts'
import { getLocalUser, getUser, localLogin } from '../store/accounts/user.ts'
import type { AuditedChange } from './audited-change.ts'

/** Makes a change and its audit entry in one transaction. */
type Audited = <T>(change: AuditedChange, work: (trx: Db) => Promise<T>) => Promise<T>

/** Teams of a store. Every change is recorded in the audit. */
export function createTeamAdmin({ db, now, vault }: Service, audited: Audited) {
  return {
    async create(name: string, owner?: string) {
      checkName(name)
      if (owner !== undefined) refuseLocal(owner)
      // Keys are created outside of the transaction.
      const keys = await vault()
      return change(name, { action: 'team.create', subject: name }, async (trx) => {
        const teamId = await store.addTeam(trx, name, now())
        if (owner === undefined) return
        const { id: userId } = await getOwner(trx, owner)
        await addMember(trx, keys, { teamId, userId, role: 'owner' })
      })
    },

    list: () => store.listTeams(db),

    get: (name: string) => store.getTeam(db, name),

    async addMember(name: string, login: string, { role }: { role: TeamRole }) {
      refuseLocal(login)
      const keys = await vault()
      return change(name, { action: 'team.add-member', subject: `${name}/${login}` }, async (trx) => {
        const place = { teamId: await store.getTeamId(trx, name), userId: (await getUser(trx, login)).id }
        await addMember(trx, keys, { ...place, role })
      })
    },

    async rename(name: string, newName: string) {
      checkName(newName)
      return change(newName, { action: 'team.rename', subject: `${name}/${newName}` }, (trx) =>
        store.renameTeam(trx, name, newName),
      )
    },

    /** Address for mails of the team itself; null disables them. */
    async setEmail(name: string, email: string | null) {
      const problem = email === null ? undefined : Email.safeParse(email).error?.issues[0]?.message
      if (problem !== undefined) throw invalidParams({ email: problem })
      return change(name, { action: 'team.set-email', subject: name }, (trx) => store.setTeamEmail(trx, name, email))
    },

    /** Deletes the team with its clusters, runs and profiles. */
    delete: (name: string) =>
      audited({ lock: 'teams', action: 'team.delete', subject: name }, (trx) => store.deleteTeam(trx, name)),

    /** Moves a user's clusters, runs and profiles to a team; undefined is the local user. */
    async adopt(login: string | undefined, name: string) {
      await store.getTeamId(db, name)
      const keys = await vault()
      const from = login ?? localLogin
      return audited({ lock: 'teams', action: 'team.adopt', subject: `${name}/${from}` }, async (trx) => {
        const user = login === undefined ? await getLocalUser(trx, now()) : await getUser(trx, login)
        const owners = { from: await getOwnAccount(trx, user.id), to: await store.getTeamOwner(trx, name) }
        return adopt(trx, { ...owners, login: from, vault: keys, now: now() })
      })
    },
  }

  /** Returns the changed team. */
  async function change(name: string, made: Omit<AuditedChange, 'lock'>, work: (trx: Db) => Promise<void>) {
    await audited({ lock: 'teams', ...made }, work)
    return store.getTeam(db, name)
  }
}

function checkName(name: string) {
  const result = TeamName.safeParse(name)
  if (!result.success) throw invalidParams({ team: result.error.issues[0]!.message })
}

function refuseLocal(login: string) {
  if (login !== localLogin) return
  throw new ReltError('forbidden', 'The user local is part of the store and cannot join a team.', {
    hint: 'Transfer its runs to a team: relt admin adopt --local-user --team NAME',
  })
}

/** Throws `not_found` with a hint on how to add the account. */
async function getOwner(trx: Db, login: string) {
  try {
    return await getUser(trx, login)
  } catch (error) {
    if (!(error instanceof ReltError && error.code === 'not_found')) throw error
    throw new ReltError('not_found', error.message, {
      hint: `Add the account first: relt admin users add ${login}`,
      cause: error,
    })
  }
}
