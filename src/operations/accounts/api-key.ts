import { randomInt, randomUUID } from 'node:crypto'
import { type Plans, planNames } from '../../config/plans.ts'
import type { ApiKeyInput } from '../../contract/api-key.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { invalidParams, notFound, ReltError } from '../../errors.ts'
import { countKeys, findOwnKey, insertKey, type NewKey } from '../../store/accounts/api-key.ts'
import { getOwnAccount } from '../../store/accounts/owner.ts'
import { findUserById, isDisabled, type User } from '../../store/accounts/user.ts'
import { formatTimestamp, timestampOrNull } from '../../util/time.ts'
import { count } from '../../util/words.ts'
import type { Unlock, Vault } from '../keys/vault.ts'
import { makerFor } from './maker.ts'
import { tagOfKey } from './tags.ts'

/** A key to issue, unrestricted by default; `expires_at` in unix seconds. */
export interface KeyRequest extends Partial<ApiKeyInput> {
  userId: number
  name: string
  /** The caller; absent for an admin of the store. */
  by?: User | undefined
}

/** Throws `forbidden` at the limit of the user's current plan, and `invalid_param` for an expiry in the past. */
export async function issueKey(service: { db: Db; vault: Unlock; plans: Plans }, request: KeyRequest, now: number) {
  checkExpiry(request.expires_at, now)
  const vault = await service.vault()
  return write(service.db, `user:${request.userId} keys`, async (trx) => {
    const { row, issued } = newKey(vault, { ...request, ...(await originFor(trx, request, now)) }, now)
    const user = await findUserById(trx, request.userId)
    if (!user) throw new ReltError('unauthenticated', 'Authentication is required.')
    if (await isDisabled(trx, user.id)) throw disabled(user.login)
    const limit = service.plans[user.plan].keys
    if ((await countKeys(trx, user.id, now)) >= limit) throw beyondLimit(limit, planNames[user.plan])
    await addKey(trx, vault, row)
    return issued
  })
}

export const disabled = (login: string) =>
  new ReltError('forbidden', `The account ${login} is disabled.`, {
    hint: `Enable it: relt admin users enable ${login}`,
  })

type Origin = Pick<NewKey, 'madeBy' | 'replaces'> & { expires_at?: number | undefined }

/**
 * The origin of the new key. A key that expires cannot issue keys that expire later; only its replacement gets a full
 * lifetime again. Throws `invalid_param`, and `not_found` if the key to replace is not the user's.
 */
async function originFor(trx: Db, { userId, by, expires_at, replaces }: KeyRequest, now: number): Promise<Origin> {
  const madeBy = by ? makerFor(by) : null
  const rotated = replaces === undefined ? undefined : await findOwnKey(trx, userId, replaces)
  if (replaces !== undefined && !rotated) throw notFound('API key', replaces)
  const end = by?.key?.expiresAt ?? null
  const isOwn = rotated !== undefined && rotated.uuid === by?.key?.uuid
  const latest = end !== null && isOwn ? now + end - rotated.createdAt : end
  if (latest !== null && expires_at !== undefined && expires_at > latest) {
    throw invalidParams({ expires_at: `must not be after ${formatTimestamp(latest)}, because the key that asks ends` })
  }
  return { madeBy, replaces: replaces ?? null, expires_at: expires_at ?? latest ?? undefined }
}

/** Unix seconds. Throws `invalid_param` for a time in the past. */
export function checkExpiry(expiresAt: number | undefined, now: number) {
  if (expiresAt !== undefined && expiresAt <= now) throw invalidParams({ expires_at: 'must be in the future' })
}

type UnboundKey = Omit<NewKey, 'tag'>

/** Inserts the key with its tag, which only relt can compute. */
export async function addKey(trx: Db, vault: Vault, row: UnboundKey) {
  const ownerId = await getOwnAccount(trx, row.userId)
  await insertKey(trx, { ...row, tag: tagOfKey(vault, { ...row, ownerId }) })
}

export function newKey(vault: Vault, request: Omit<KeyRequest, 'by' | 'replaces'> & Partial<Origin>, now: number) {
  const { userId, name, expires_at, scope = 'all', madeBy = null, replaces = null } = request
  const password = newPassword()
  const uuid = randomUUID()
  const expiresAt = expires_at ?? null
  return {
    row: {
      uuid,
      userId,
      name,
      createdAt: now,
      expiresAt,
      scope,
      secretHash: hashOfKey(vault, password)!,
      madeBy,
      replaces,
    },
    issued: {
      /** Returned only once; the store has only its keyed hash. */
      password,
      item: {
        uuid,
        name,
        created: formatTimestamp(now),
        expires_at: timestampOrNull(expiresAt),
        scope,
        last_used: null,
        made_by: madeBy,
        replaces,
      },
    },
  }
}

/** Hashes an application password, with or without spaces. Undefined if it is invalid. */
export function hashOfKey(vault: Vault, password: string) {
  if (!/^(?:[A-Za-z]{24}|[A-Za-z]{4}(?: [A-Za-z]{4}){5})$/.test(password)) return undefined
  return vault.keyedHash('api-key', password.replaceAll(' ', ''))
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Six groups of four letters: 136 bits. `randomInt` is unbiased. */
function newPassword() {
  const group = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')
  return Array.from({ length: 6 }, group).join(' ')
}

function beyondLimit(limit: number, plan: string) {
  const keys = count(limit, 'API key')
  return new ReltError('forbidden', `The limit of the plan ${plan} is ${keys}.`, {
    hint: limit === 0 ? 'API access requires a Pro plan.' : 'Revoke a key that is no longer used.',
  })
}
