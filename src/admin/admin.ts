import type * as z from 'zod/mini'
import type { Env } from '../config/env.ts'
import { type RetentionDays, readRetentionDays } from '../config/retention.ts'
import type { KeyPlace } from '../config/secrets.ts'
import { placeOfStore } from '../config/store-place.ts'
import { type Account, type AuditEntry, Email, Login, Password, type Role } from '../contract/account.ts'
import { type ApiKey, ApiKeyInput } from '../contract/api-key.ts'
import { reasonFor } from '../contract/reason.ts'
import type { Plan } from '../contract/subscription.ts'
import { findMeta } from '../db/meta.ts'
import type { Db } from '../db/open.ts'
import { write } from '../db/transaction.ts'
import { invalidParams, notFound, ReltError } from '../errors.ts'
import { disabled, type IssuedKey, issueKey } from '../operations/accounts/api-key.ts'
import { disableAccount, enableAccount } from '../operations/accounts/disable.ts'
import { addAccount, setPassword, setRole } from '../operations/accounts/grant.ts'
import { passwordMaker } from '../operations/accounts/maker.ts'
import { hashPassword } from '../operations/accounts/password.ts'
import { type EndedCounts, endAllFor, endKey, endMade, findMade, type Made } from '../operations/notifications/made.ts'
import { reindexRuns } from '../operations/runs/reindex-runs.ts'
import { applyRetention, type RemovedCounts } from '../operations/store-care/retention.ts'
import { openService } from '../service/service.ts'
import { getAccount, listAccounts } from '../store/accounts/account.ts'
import { findKeyUser, listKeys, removeKey } from '../store/accounts/api-key.ts'
import { listAudit, recordAudit } from '../store/accounts/audit.ts'
import { removeSessionsFor } from '../store/accounts/session.ts'
import { getLocalUser, getUser, isDisabled, localLogin, removeUser, updateUser } from '../store/accounts/user.ts'
import { findDamage, findDatabaseServer } from '../store/store-care/integrity-check.ts'
import { truncateWal, vacuum } from '../store/store-care/vacuum.ts'
import type { Page } from '../util/page.ts'
import type { AuditedChange } from './audited-change.ts'
import type { CatalogAdmin } from './catalog.ts'
import type { NotificationAdmin } from './notifications.ts'
import type { StoreAdmin } from './store.ts'
import type { TeamAdmin } from './teams.ts'

export type { Made } from '../operations/notifications/made.ts'

interface AccountInput {
  login: string
  email?: string | undefined
  role: Role
  plan: Plan
}

/** Expiry as on the wire, and scope. */
type KeyLimits = Omit<z.input<typeof ApiKeyInput>, 'name'>

/** Administration of a store by anyone who may write its files; no route offers it. Throws `ReltError`. */
export interface Admin {
  addUser(input: AccountInput): Promise<Account>
  listUsers(): Promise<Account[]>
  getUser(login: string): Promise<Account>
  setPlan(login: string, plan: Plan): Promise<Account>
  setRole(login: string, role: Role): Promise<Account>
  /** Null removes the address. */
  setEmail(login: string, email: string | null): Promise<Account>
  /** Ends the user's sessions, and with `endMade` what was made in sessions of the password. */
  setPassword(login: string, password: string, options?: { endMade?: boolean }): Promise<EndedCounts | undefined>
  /** What was made in sessions of the password. */
  findMadeByPassword(login: string): Promise<Made>
  /** Nothing of the account signs in any more, until it is enabled. With `endMade`, its keys, feeds and webhooks are removed. */
  disableUser(login: string, options?: { endMade?: boolean }): Promise<{ account: Account; ended?: EndedCounts }>
  enableUser(login: string): Promise<Account>
  removeUser(login: string): Promise<void>
  createKey(login: string, name: string, limits?: KeyLimits): Promise<IssuedKey>
  listKeys(login: string): Promise<ApiKey[]>
  /** With `endMade`, also what was made with it. Throws `not_found`. */
  revokeKey(uuid: string, options?: { endMade?: boolean }): Promise<EndedCounts | undefined>
  /** What was made with a key. Throws `not_found`. */
  findMadeByKey(uuid: string): Promise<Made>
  listAudit(filter: { login?: string | undefined }, page: { page: number; perPage: number }): Promise<Page<AuditEntry>>
  /** Removes data older than the given days, and returns counts; 0 keeps everything. */
  applyRetention(): Promise<{ days: RetentionDays; removed: RemovedCounts }>
  /** Reads runs again that an older release indexed; returns how many. */
  reindex(onProgress: (done: number, total: number) => void): Promise<number>
  catalog(): Promise<CatalogAdmin>
  teams(): Promise<TeamAdmin>
  notifications(): Promise<NotificationAdmin>
  /** Keys and backups. */
  store(): Promise<StoreAdmin>
  /** Problems of the store's file, which is read as a whole. */
  checkStore(): Promise<string[]>
  /** Name and version of the database server; undefined: the store is a SQLite file. */
  findServer(): Promise<string | undefined>
  /** Place of the store's master key after a successful read; undefined if none exists. Throws `key_unavailable`. */
  findKeyPlace(): Promise<KeyPlace | undefined>
  close(): Promise<void>
}

/** Opens the store of the folder, else of `RELT_HOME`. `now` gives unix seconds. */
export async function openAdmin(options: { env: Env; now: () => number; folder?: string | undefined }): Promise<Admin> {
  const { now } = options
  const { env, folder } = placeOfStore(options.env, options.folder)
  const service = await openService({ env, now, folder })
  const { db } = service

  /** Commands on this machine act as the local user. */
  async function record(action: string, subject?: string, trx: Db = db): Promise<void> {
    const user = await getLocalUser(trx, now())
    await recordAudit(trx, { at: now(), user, action, subject, requestId: undefined })
  }

  /** Makes a change and records it in one transaction. */
  function audited<T>({ lock, action, subject }: AuditedChange, work: (trx: Db) => Promise<T>): Promise<T> {
    return write(db, lock, async (trx) => {
      const result = await work(trx)
      await record(action, subject, trx)
      return result
    })
  }

  async function change(login: string, action: string, work: (trx: Db) => Promise<void>): Promise<Account> {
    refuseLocal(login)
    await audited({ lock: 'accounts', action, subject: login }, work)
    return getAccount(db, login)
  }

  return {
    async addUser({ login, email, role, plan }) {
      check('login', Login, login)
      if (email !== undefined) check('email', Email, email)
      refuseLocal(login)
      // The key is made outside of the transaction.
      const vault = role === 'admin' ? await service.vault() : undefined
      const user = { login, email: email ?? null, role, plan }
      await audited({ lock: 'accounts', action: 'user.add', subject: login }, (trx) =>
        addAccount(trx, user, { vault, now: now() }),
      )
      return getAccount(db, login)
    },
    listUsers: () => listAccounts(db),
    getUser: (login) => getAccount(db, login),
    setPlan: (login, plan) => change(login, 'user.set-plan', (trx) => updateUser(trx, login, { plan })),
    async setRole(login, role) {
      const vault = await service.vault()
      return change(login, 'user.set-role', (trx) => setRole(trx, vault, login, role))
    },
    async setEmail(login, email) {
      if (email !== null) check('email', Email, email)
      // Notifications of the store on this machine go to its user.
      if (login === localLogin) await getLocalUser(db, now())
      await audited({ lock: 'accounts', action: 'user.set-email', subject: login }, (trx) =>
        updateUser(trx, login, { email }),
      )
      return getAccount(db, login)
    },
    async setPassword(login, password, { endMade: endsMade = false } = {}) {
      check('password', Password, password)
      refuseLocal(login)
      const { id } = await getUser(db, login)
      if (await isDisabled(db, id)) throw disabled(login)
      const [hash, vault] = [await hashPassword(password), await service.vault()]
      // Members of teams may end, too.
      const lock = endsMade ? 'teams' : (`user:${id} sessions` as const)
      return audited({ lock, action: 'user.set-password', subject: login }, async (trx) => {
        await setPassword(trx, vault, login, hash)
        await removeSessionsFor(trx, (await getUser(trx, login)).id)
        if (!endsMade) return undefined
        return endMade(trx, { userId: id, maker: passwordMaker(id), by: await getLocalUser(trx, now()), now: now() })
      })
    },
    async findMadeByPassword(login) {
      const { id } = await getUser(db, login)
      return findMade(db, id, passwordMaker(id))
    },
    async disableUser(login, { endMade: endsAll = false } = {}) {
      refuseLocal(login)
      const vault = await service.vault()
      const ended = await audited({ lock: 'accounts', action: 'user.disable', subject: login }, async (trx) => {
        const { id } = await getUser(trx, login)
        await disableAccount(trx, vault, id, now())
        return endsAll ? endAllFor(trx, { userId: id, by: await getLocalUser(trx, now()), now: now() }) : undefined
      })
      return { account: await getAccount(db, login), ...(ended && { ended }) }
    },
    async enableUser(login) {
      const vault = await service.vault()
      return change(login, 'user.enable', async (trx) => enableAccount(trx, vault, (await getUser(trx, login)).id))
    },
    async removeUser(login) {
      refuseLocal(login)
      await audited({ lock: 'accounts', action: 'user.remove', subject: login }, (trx) => removeUser(trx, login))
      await vacuum(db)
      await truncateWal(db)
    },
    async createKey(login, name, limits) {
      const wanted = check('key', ApiKeyInput, { name, ...limits })
      const { id } = await getUser(db, login)
      await service.vault()
      return write(db, `user:${id} keys`, async (trx) => {
        const issued = await issueKey({ ...service, db: trx }, { userId: id, ...wanted }, now())
        await record('key.create', issued.item.uuid, trx)
        return issued
      })
    },
    listKeys: async (login) => listKeys(db, (await getUser(db, login)).id),
    async revokeKey(uuid, { endMade: endsMade = false } = {}) {
      const lock = endsMade ? 'teams' : 'nothing'
      return audited({ lock, action: 'key.revoke', subject: uuid }, async (trx) => {
        if (!endsMade) return void (await removeKey(trx, uuid))
        const by = await getLocalUser(trx, now())
        return endKey(trx, { userId: await userOfKey(trx, uuid), maker: uuid, by, now: now() })
      })
    },
    findMadeByKey: async (uuid) => findMade(db, await userOfKey(db, uuid), uuid),
    listAudit: (filter, page) => listAudit(db, filter, page),
    async applyRetention() {
      const days = readRetentionDays(env)
      const removed = await applyRetention(db, days, now())
      await record('retention.run')
      return { days, removed }
    },
    async reindex(onProgress) {
      const runs = await reindexRuns(db, { vault: service.vault, onProgress })
      await record('store.reindex')
      return runs
    },
    async notifications() {
      const { createNotificationAdmin } = await import('./notifications.ts')
      return createNotificationAdmin(service, env)
    },
    async catalog() {
      const { createCatalogAdmin } = await import('./catalog.ts')
      return createCatalogAdmin(service, { env, folder, record })
    },
    async teams() {
      const { createTeamAdmin } = await import('./teams.ts')
      return createTeamAdmin(service, { audited })
    },
    async store() {
      const { createStoreAdmin } = await import('./store.ts')
      return createStoreAdmin(service, { env, folder, record })
    },
    checkStore: () => findDamage(db),
    findServer: () => findDatabaseServer(db),
    async findKeyPlace() {
      const place = await findMeta(db, 'master_key_place')
      if (place === undefined) return undefined
      await service.vault()
      if (env.RELT_MASTER_KEY) return 'env'
      return env.RELT_MASTER_KEY_COMMAND ? 'command' : (place as KeyPlace)
    },
    close: () => db.destroy(),
  }
}

function check<T extends z.ZodMiniType>(name: string, shape: T, value: unknown): z.output<T> {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]!
  throw invalidParams({ [issue.path.join('.') || name]: reasonFor(issue) })
}

async function userOfKey(db: Db, uuid: string): Promise<number> {
  const userId = await findKeyUser(db, uuid)
  // Without the id: it may be the key itself, given by mistake.
  if (userId === undefined) throw notFound('API key')
  return userId
}

function refuseLocal(login: string): void {
  if (login === localLogin)
    throw new ReltError('forbidden', 'The user local is part of the store and cannot be changed this way.')
}
