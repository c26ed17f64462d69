import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db } from '../../db/open.ts'
import * as store from '../../store/accounts/known-address.ts'
import { daySeconds, type UnixSeconds } from '../../util/time.ts'
import type { Unlock, Vault } from '../keys/vault.ts'

const addressSeconds = 30 * daySeconds
export const browserSeconds = 90 * daySeconds

export interface Caller {
  login: string
  /** IP address, or network. */
  address: string
  /** Browser cookies, maybe from `newBrowserToken`. */
  browserTokens: string[]
}

/**
 * The browser, or else the address, from which the account signed in with its password before. Undefined for an unknown
 * caller.
 */
export async function findKnownCaller(
  { db, vault }: { db: Db; vault: Unlock },
  { login, address, browserTokens }: Caller,
  now: UnixSeconds,
) {
  const keys = await vault()
  const addressHash = hashOfAddress(keys, address)
  const found = await store.findKnownAddress(db, { login, addressHash }, now - addressSeconds)
  const browser = readBrowserTokens(keys, browserTokens, now).find(({ userId }) => userId === found?.userId)
  if (browser) return browser.name
  return found?.isKnown ? `address ${address} of ${found.userId}` : undefined
}

/** The browser, if any account signed in from it with its password. */
export async function findKnownBrowser(vault: Unlock, browserTokens: string[], now: UnixSeconds) {
  if (browserTokens.length === 0) return undefined
  const [browser] = readBrowserTokens(await vault(), browserTokens, now)
  return browser?.name
}

/** Remembers the address of a sign-in. Call it in the transaction of the password sign-in. */
export function rememberAddress(
  trx: Db,
  vault: Vault,
  { userId, address }: { userId: number; address: string },
  now: UnixSeconds,
) {
  const addressHash = hashOfAddress(vault, address)
  return store.rememberAddress(trx, { userId, addressHash }, { now, since: now - addressSeconds })
}

const hashOfAddress = (vault: Vault, address: string) => vault.keyedHash('sign-in-address', address)

/** Value for a cookie. It proves only that the browser signed in to the account before. */
export function newBrowserToken(vault: Vault, userId: number, now: UnixSeconds) {
  const claim = `${userId}.${now + browserSeconds}.${randomBytes(12).toString('base64url')}`
  return `${claim}.${toTag(vault, claim).toString('base64url')}`
}

const readBrowserTokens = (vault: Vault, tokens: string[], now: UnixSeconds) =>
  tokens.flatMap((token) => readBrowserToken(vault, token, now) ?? [])

function readBrowserToken(vault: Vault, token: string, now: UnixSeconds) {
  const [, claim = '', userId, expiresAt, id = '', tag = ''] =
    /^((\d{1,15})\.(\d{1,15})\.([\w-]{16}))\.([\w-]{43})$/.exec(token) ?? []
  const given = Buffer.from(tag, 'base64url')
  const expected = toTag(vault, claim)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  return Number(expiresAt) > now ? { userId: Number(userId), name: `browser ${id}` } : undefined
}

const toTag = (vault: Vault, claim: string) => vault.keyedHash('known-browser', claim)
