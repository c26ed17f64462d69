import type { Db } from '../../../db/open.ts'
import { insteadOf } from '../../../errors.ts'
import { ensureCatalog } from '../../../operations/catalog/bundled.ts'
import {
  checkException,
  openException,
  type ReleaseColumns,
  requireRoomForException,
  sealException,
} from '../../../operations/findings/exception.ts'
import { findFinding } from '../../../operations/findings/find.ts'
import { getProject } from '../../../store/catalog/project.ts'
import { findNewestPublication } from '../../../store/catalog/release.ts'
import {
  type EndBounds,
  endException,
  getException,
  insertException,
  listExceptions,
} from '../../../store/findings/exception.ts'
import { daySeconds } from '../../../util/time.ts'
import { type CheckedRequest, change, type HandlerContext, type Handlers } from '../../handler.ts'

export const exceptionHandlers: Handlers<'exception'> = {
  async listExceptions({ db, vault, now }, { query, owner }) {
    const choice = { page: query.page, perPage: query.per_page }
    const found = await listExceptions(db, owner.id, toBounds(query, now), choice)
    const keeper = found.items.length > 0 ? await vault() : undefined
    const items = found.items.map((row) => openException(keeper!, row, now))
    if (!query.include_matched) return { ...found, items }
    const { countMatches } = await import('../../../operations/freshness/exception-matches.ts')
    const counts = await countMatches(db, items, { ownerId: owner.id, vault, now })
    return { ...found, items: items.map((item, i) => ({ ...item, matched: counts[i]! })) }
  },

  async createException({ db, vault, now }, { body, user, owner }) {
    checkException(body, now)
    const keeper = await vault()
    const finding = body.fingerprint === undefined ? undefined : await describe(db, owner.id, body.fingerprint, vault)
    if (body.next_release_of !== undefined) await ensureCatalog(db, now)
    const release = await findReleaseColumns(db, body.next_release_of, now)
    const row = sealException(keeper, body, { login: user.login, now, finding, release })
    return change(`owner:${owner.id} exceptions`, async (trx) => {
      await requireRoomForException(trx, owner.id, now)
      await insertException(trx, owner.id, row)
      return {
        success: true,
        ...openException(keeper, await getException(trx, owner.id, row.exception_id), now),
      }
    })
  },

  async getException({ db, vault, now }, { params, owner }) {
    return openException(await vault(), await getException(db, owner.id, params.exception_id), now)
  },

  async expireException({ vault, now }, { params, user, owner }) {
    const keeper = await vault()
    return change(`owner:${owner.id} exceptions`, async (trx) => {
      await endException(trx, owner.id, params.exception_id, { now, login: user.login })
      const row = await getException(trx, owner.id, params.exception_id)
      return { success: true, ...openException(keeper, row, now) }
    })
  },
}

/** Throws `not_found` for an unknown project. */
async function findReleaseColumns(db: Db, projectId: number | undefined, now: number): Promise<ReleaseColumns> {
  if (projectId === undefined) return { release_project_id: null, released_after: null }
  const { id } = await getProject(db, projectId)
  // For a project without known releases, a sync imports all existing ones, which do not count. A release in this second
  // does.
  return { release_project_id: id, released_after: (await findNewestPublication(db, id)) ?? now - 1 }
}

/** Undefined for a finding that no stored run has. */
async function describe(db: Db, ownerId: number, fingerprint: string, vault: HandlerContext['vault']) {
  const found = await findFinding(db, { ownerId, fingerprint }, vault).catch(insteadOf('not_found', undefined))
  if (!found) return undefined
  const { check_id, check_name, severity, namespace, resource, message } = found.finding
  return { check_id, check_name, severity, namespace, resource, message }
}

function toBounds(
  { state, expiring_days, ended_days }: CheckedRequest<'listExceptions'>['query'],
  now: number,
): EndBounds {
  // The last day counts completely.
  const today = now - (now % daySeconds)
  const expiring = expiring_days === undefined ? undefined : today + (expiring_days + 1) * daySeconds
  const isActive = state === 'active' || (state === undefined && expiring !== undefined)
  const after = isActive ? now : ended_days === undefined ? undefined : now - ended_days * daySeconds
  return { after, until: state === 'expired' ? now : expiring }
}
