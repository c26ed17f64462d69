import type * as z from 'zod/mini'
import type { Env } from '../config/env.ts'
import { readRetentionDays } from '../config/retention.ts'
import type { KeyPlace } from '../config/secrets.ts'
import { placeOfStore } from '../config/store-place.ts'
import { Email, Password, type Role } from '../contract/account.ts'
import { reasonFor } from '../contract/reason.ts'
import type { Plan } from '../contract/subscription.ts'
import { Login } from '../contract/team.ts'
import { findMeta } from '../db/meta.ts'
import type { Db } from '../db/open.ts'
import { write } from '../db/transaction.ts'
import { invalidParams, ReltError } from '../errors.ts'
import { disabled } from '../operations/accounts/api-key.ts'
import { disableAccount, enableAccount } from '../operations/accounts/disable.ts'
import { addAccount, setPassword, setRole } from '../operations/accounts/grant.ts'
import { passwordMaker } from '../operations/accounts/maker.ts'
import { hashPassword } from '../operations/accounts/password.ts'
import { endAllFor, endMade, findMade, toShown } from '../operations/notifications/made.ts'
import { applyRetention } from '../operations/store-care/retention.ts'
import { openService, type Service } from '../service/service.ts'
import { getAccount, listAccounts } from '../store/accounts/account.ts'
import { listAudit, recordAudit } from '../store/accounts/audit.ts'
import { removeSessionsFor } from '../store/accounts/session.ts'
import { getLocalUser, getUser, isDisabled, localLogin, removeUser, updateUser } from '../store/accounts/user.ts'
import { findDamage, findDatabaseServer } from '../store/store-care/integrity-check.ts'
import { truncateWal, vacuum } from '../store/store-care/vacuum.ts'
import type { PageChoice } from '../util/page.ts'
import type { AuditedChange } from './audited-change.ts'

interface AccountInput {
  login: string
  email?: string | undefined
  role: Role
  plan: Plan
}

interface EndOptions {
  endMade?: boolean
}

/** Opens the store in the given folder, else in `RELT_HOME`. `now` gives unix seconds. */
export async function openAdmin(options: { env: Env; now: () => number; folder?: string | undefined }): Promise<Admin> {
  const place = placeOfStore(options.env, options.folder)
  return createAdmin(await openService({ ...place, now: options.now }), place)
}

/** Administration of a store by anyone who may write its files; not available through routes. Throws `ReltError`. */
export type Admin = ReturnType<typeof createAdmin>

function createAdmin(service: Service, place: { env: Env; folder: string }) {
  const { db, now, vault } = service
  const { env } = place
  return {
    async addUser({ login, email, role, plan }: AccountInput) {
      check('login', Login, login)
      if (email !== undefined) check('email', Email, email)
      refuseLocal(login)
      // Keys are created outside of the transaction.
      const keys = role === 'admin' ? await vault() : undefined
      const user = { login, email: email ?? null, role, plan }
      await audited({ lock: 'accounts', action: 'user.add', subject: login }, (trx) =>
        addAccount(trx, user, { vault: keys, now: now() }),
      )
      return getAccount(db, login)
    },

    listUsers: () => listAccounts(db),

    getUser: (login: string) => getAccount(db, login),

    setPlan: (login: string, plan: Plan) => change(login, 'user.set-plan', (trx) => updateUser(trx, login, { plan })),

    async setRole(login: string, role: Role) {
      const keys = await vault()
      return change(login, 'user.set-role', (trx) => setRole(trx, keys, login, role))
    },

    /** Null removes the address. */
    async setEmail(login: string, email: string | null) {
      if (email !== null) check('email', Email, email)
      // Notifications of the local store go to its local user.
      if (login === localLogin) await getLocalUser(db, now())
      await audited({ lock: 'accounts', action: 'user.set-email', subject: login }, (trx) =>
        updateUser(trx, login, { email }),
      )
      return getAccount(db, login)
    },

    /** Ends the user's sessions, and with `endMade` revokes everything created in sessions opened with the password. */
    async setPassword(login: string, password: string, options: EndOptions = {}) {
      check('password', Password, password)
      refuseLocal(login)
      const { id } = await getUser(db, login)
      if (await isDisabled(db, id)) throw disabled(login)
      const [hash, keys] = [await hashPassword(password), await vault()]
      // Team memberships may end, too.
      const lock = options.endMade ? 'teams' : (`user:${id} sessions` as const)
      return audited({ lock, action: 'user.set-password', subject: login }, async (trx) => {
        await setPassword(trx, keys, login, hash)
        await removeSessionsFor(trx, (await getUser(trx, login)).id)
        if (!options.endMade) return undefined
        return endMade(trx, { userId: id, maker: passwordMaker(id), ...(await byLocalUser(trx)) })
      })
    },

    /** Everything created in sessions opened with the password. */
    async findMadeByPassword(login: string) {
      const { id } = await getUser(db, login)
      return toShown(await findMade(db, id, passwordMaker(id), now()))
    },

    /** Disables sign-in with all credentials of the account. With `endMade`, also removes its keys, feeds and webhooks. */
    async disableUser(login: string, options: EndOptions = {}) {
      refuseLocal(login)
      const keys = await vault()
      const ended = await audited({ lock: 'accounts', action: 'user.disable', subject: login }, async (trx) => {
        const { id } = await getUser(trx, login)
        await disableAccount(trx, keys, id, now())
        return options.endMade ? endAllFor(trx, { userId: id, ...(await byLocalUser(trx)) }) : undefined
      })
      return { account: await getAccount(db, login), ...(ended && { ended }) }
    },

    async enableUser(login: string) {
      const keys = await vault()
      return change(login, 'user.enable', async (trx) => enableAccount(trx, keys, (await getUser(trx, login)).id))
    },

    async removeUser(login: string) {
      refuseLocal(login)
      await audited({ lock: 'accounts', action: 'user.remove', subject: login }, (trx) => removeUser(trx, login))
      await vacuum(db)
      await truncateWal(db)
    },

    listAudit: (filter: { login?: string | undefined }, page: PageChoice) => listAudit(db, filter, page),

    /** Removes data older than the configured days, and returns counts; 0 keeps everything. */
    async applyRetention() {
      const days = readRetentionDays(env)
      const removed = await applyRetention(service, days, now())
      await record('retention.run')
      return { days, removed }
    },

    /** Sends due messages once, or as they become due until stopped. Throws `usage` if delivery is disabled. */
    async sendNotifications(options: { once?: boolean | undefined; stopped: AbortSignal }) {
      return (await import('./notifications.ts')).sendNotifications(service, { ...options, env })
    },

    catalog: async () => (await import('./catalog.ts')).createCatalogAdmin(service, place, record),

    teams: async () => (await import('./teams.ts')).createTeamAdmin(service, audited),

    /** Administration of the store's keys and backups. */
    store: async () => (await import('./store.ts')).createStoreAdmin(service, place, record),

    /** Problems of the store's file; reads all of it. */
    checkStore: () => findDamage(db),

    /** Name and version of the database server; undefined if the store is a SQLite file. */
    findServer: () => findDatabaseServer(db),

    /** Location of the store's master key after a successful read; undefined if there is none. Throws `key_unavailable`. */
    async findKeyPlace() {
      const kept = await findMeta(db, 'master_key_place')
      if (kept === undefined) return undefined
      await vault()
      if (env.RELT_MASTER_KEY) return 'env'
      return env.RELT_MASTER_KEY_COMMAND ? 'command' : (kept as KeyPlace)
    },

    close: () => db.destroy(),
  }

  /** Local commands act as the local user. */
  async function byLocalUser(trx: Db) {
    const at = now()
    return { by: await getLocalUser(trx, at), now: at }
  }

  async function record(action: string, subject?: string, trx: Db = db) {
    const { by: user, now: at } = await byLocalUser(trx)
    await recordAudit(trx, { at, user, action, subject, requestId: undefined })
  }

  /** Makes a change and its audit entry in one transaction. */
  function audited<T>({ lock, action, subject }: AuditedChange, work: (trx: Db) => Promise<T>) {
    return write(db, lock, async (trx) => {
      const result = await work(trx)
      await record(action, subject, trx)
      return result
    })
  }

  async function change(login: string, action: string, work: (trx: Db) => Promise<void>) {
    refuseLocal(login)
    await audited({ lock: 'accounts', action, subject: login }, work)
    return getAccount(db, login)
  }
}

function check(name: string, shape: z.ZodMiniType, value: unknown) {
  const result = shape.safeParse(value)
  if (result.success) return
  const issue = result.error.issues[0]!
  throw invalidParams({ [issue.path.join('.') || name]: reasonFor(issue) })
}

function refuseLocal(login: string) {
  if (login === localLogin)
    throw new ReltError('forbidden', 'The user local is part of the store and cannot be changed this way.')
}
