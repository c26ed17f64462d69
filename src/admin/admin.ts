import type * as z from 'zod/mini'
import type { Env } from '../config/env.ts'
import { type RetentionDays, readRetentionDays } from '../config/retention.ts'
import type { KeyPlace } from '../config/secrets.ts'
import { placeOfStore } from '../config/store-place.ts'
import { type Account, type AuditEntry, Email, Password, type Role } from '../contract/account.ts'
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
import type { SentCounts } from '../operations/notifications/deliver.ts'
import { type EndedCounts, endAllFor, endMade, findMade, type Made } from '../operations/notifications/made.ts'
import { applyRetention, type RemovedCounts } from '../operations/store-care/retention.ts'
import { openService, type Service } from '../service/service.ts'
import { getAccount, listAccounts } from '../store/accounts/account.ts'
import { listAudit, recordAudit } from '../store/accounts/audit.ts'
import { removeSessionsFor } from '../store/accounts/session.ts'
import { getLocalUser, getUser, isDisabled, localLogin, removeUser, updateUser } from '../store/accounts/user.ts'
import { findDamage, findDatabaseServer } from '../store/store-care/integrity-check.ts'
import { truncateWal, vacuum } from '../store/store-care/vacuum.ts'
import type { Page, PageChoice } from '../util/page.ts'
import type { AuditedChange } from './audited-change.ts'
import type { CatalogAdmin } from './catalog.ts'
import type { StoreAdmin } from './store.ts'
import type { TeamAdmin } from './teams.ts'

export type { Made } from '../operations/notifications/made.ts'

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
  return new Admin(await openService({ ...place, now: options.now }), place)
}

/** Administration of a store by anyone who may write its files; not available through routes. Throws `ReltError`. */
export class Admin {
  readonly #service: Service
  readonly #db: Db
  readonly #place: { env: Env; folder: string }

  constructor(service: Service, place: { env: Env; folder: string }) {
    this.#service = service
    this.#db = service.db
    this.#place = place
  }

  async addUser({ login, email, role, plan }: AccountInput): Promise<Account> {
    check('login', Login, login)
    if (email !== undefined) check('email', Email, email)
    refuseLocal(login)
    // Keys are created outside of the transaction.
    const vault = role === 'admin' ? await this.#service.vault() : undefined
    const user = { login, email: email ?? null, role, plan }
    await this.#audited({ lock: 'accounts', action: 'user.add', subject: login }, (trx) =>
      addAccount(trx, user, { vault, now: this.#service.now() }),
    )
    return getAccount(this.#db, login)
  }

  listUsers(): Promise<Account[]> {
    return listAccounts(this.#db)
  }

  getUser(login: string): Promise<Account> {
    return getAccount(this.#db, login)
  }

  setPlan(login: string, plan: Plan): Promise<Account> {
    return this.#change(login, 'user.set-plan', (trx) => updateUser(trx, login, { plan }))
  }

  async setRole(login: string, role: Role): Promise<Account> {
    const vault = await this.#service.vault()
    return this.#change(login, 'user.set-role', (trx) => setRole(trx, vault, login, role))
  }

  /** Null removes the address. */
  async setEmail(login: string, email: string | null): Promise<Account> {
    if (email !== null) check('email', Email, email)
    // Notifications of the local store go to its local user.
    if (login === localLogin) await getLocalUser(this.#db, this.#service.now())
    await this.#audited({ lock: 'accounts', action: 'user.set-email', subject: login }, (trx) =>
      updateUser(trx, login, { email }),
    )
    return getAccount(this.#db, login)
  }

  /** Ends the user's sessions, and with `endMade` revokes everything created in sessions opened with the password. */
  async setPassword(login: string, password: string, options: EndOptions = {}): Promise<EndedCounts | undefined> {
    check('password', Password, password)
    refuseLocal(login)
    const { id } = await getUser(this.#db, login)
    if (await isDisabled(this.#db, id)) throw disabled(login)
    const [hash, vault] = [await hashPassword(password), await this.#service.vault()]
    // Team memberships may end, too.
    const lock = options.endMade ? 'teams' : (`user:${id} sessions` as const)
    return this.#audited({ lock, action: 'user.set-password', subject: login }, async (trx) => {
      await setPassword(trx, vault, login, hash)
      await removeSessionsFor(trx, (await getUser(trx, login)).id)
      if (!options.endMade) return undefined
      return endMade(trx, { userId: id, maker: passwordMaker(id), ...(await this.#byLocalUser(trx)) })
    })
  }

  /** Everything created in sessions opened with the password. */
  async findMadeByPassword(login: string): Promise<Made> {
    const { id } = await getUser(this.#db, login)
    return findMade(this.#db, id, passwordMaker(id))
  }

  /** Disables sign-in with all credentials of the account. With `endMade`, also removes its keys, feeds and webhooks. */
  async disableUser(login: string, options: EndOptions = {}): Promise<{ account: Account; ended?: EndedCounts }> {
    refuseLocal(login)
    const vault = await this.#service.vault()
    const ended = await this.#audited({ lock: 'accounts', action: 'user.disable', subject: login }, async (trx) => {
      const { id } = await getUser(trx, login)
      await disableAccount(trx, vault, id, this.#service.now())
      return options.endMade ? endAllFor(trx, { userId: id, ...(await this.#byLocalUser(trx)) }) : undefined
    })
    return { account: await getAccount(this.#db, login), ...(ended && { ended }) }
  }

  async enableUser(login: string): Promise<Account> {
    const vault = await this.#service.vault()
    return this.#change(login, 'user.enable', async (trx) => enableAccount(trx, vault, (await getUser(trx, login)).id))
  }

  async removeUser(login: string): Promise<void> {
    refuseLocal(login)
    await this.#audited({ lock: 'accounts', action: 'user.remove', subject: login }, (trx) => removeUser(trx, login))
    await vacuum(this.#db)
    await truncateWal(this.#db)
  }

  listAudit(filter: { login?: string | undefined }, page: PageChoice): Promise<Page<AuditEntry>> {
    return listAudit(this.#db, filter, page)
  }

  /** Removes data older than the configured days, and returns counts; 0 keeps everything. */
  async applyRetention(): Promise<{ days: RetentionDays; removed: RemovedCounts }> {
    const days = readRetentionDays(this.#place.env)
    const removed = await applyRetention(this.#db, days, this.#service.now())
    await this.#record('retention.run')
    return { days, removed }
  }

  /** Sends due messages once, or as they become due until stopped. Throws `usage` if delivery is disabled. */
  async sendNotifications(options: { once?: boolean | undefined; stopped: AbortSignal }): Promise<SentCounts> {
    const { sendNotifications } = await import('./notifications.ts')
    return sendNotifications(this.#service, { ...options, env: this.#place.env })
  }

  async catalog(): Promise<CatalogAdmin> {
    const { CatalogAdmin } = await import('./catalog.ts')
    return new CatalogAdmin(this.#service, { ...this.#place, record: this.#record })
  }

  async teams(): Promise<TeamAdmin> {
    const { TeamAdmin } = await import('./teams.ts')
    return new TeamAdmin(this.#service, (change, work) => this.#audited(change, work))
  }

  /** Administration of the store's keys and backups. */
  async store(): Promise<StoreAdmin> {
    const { createStoreAdmin } = await import('./store.ts')
    return createStoreAdmin(this.#service, this.#place, this.#record)
  }

  /** Problems of the store's file; reads all of it. */
  checkStore(): Promise<string[]> {
    return findDamage(this.#db)
  }

  /** Name and version of the database server; undefined if the store is a SQLite file. */
  findServer(): Promise<string | undefined> {
    return findDatabaseServer(this.#db)
  }

  /** Location of the store's master key after a successful read; undefined if there is none. Throws `key_unavailable`. */
  async findKeyPlace(): Promise<KeyPlace | undefined> {
    const place = await findMeta(this.#db, 'master_key_place')
    if (place === undefined) return undefined
    await this.#service.vault()
    if (this.#place.env.RELT_MASTER_KEY) return 'env'
    return this.#place.env.RELT_MASTER_KEY_COMMAND ? 'command' : (place as KeyPlace)
  }

  close(): Promise<void> {
    return this.#db.destroy()
  }

  /** Local commands act as the local user. */
  async #byLocalUser(trx: Db) {
    const now = this.#service.now()
    return { by: await getLocalUser(trx, now), now }
  }

  readonly #record = async (action: string, subject?: string, trx: Db = this.#db): Promise<void> => {
    const { by: user, now: at } = await this.#byLocalUser(trx)
    await recordAudit(trx, { at, user, action, subject, requestId: undefined })
  }

  /** Makes a change and its audit entry in one transaction. */
  #audited<T>({ lock, action, subject }: AuditedChange, work: (trx: Db) => Promise<T>): Promise<T> {
    return write(this.#db, lock, async (trx) => {
      const result = await work(trx)
      await this.#record(action, subject, trx)
      return result
    })
  }

  async #change(login: string, action: string, work: (trx: Db) => Promise<void>): Promise<Account> {
    refuseLocal(login)
    await this.#audited({ lock: 'accounts', action, subject: login }, work)
    return getAccount(this.#db, login)
  }
}

function check<T extends z.ZodMiniType>(name: string, shape: T, value: unknown): z.output<T> {
  const result = shape.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]!
  throw invalidParams({ [issue.path.join('.') || name]: reasonFor(issue) })
}

function refuseLocal(login: string): void {
  if (login === localLogin)
    throw new ReltError('forbidden', 'The user local is part of the store and cannot be changed this way.')
}
