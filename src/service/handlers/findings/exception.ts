import type { ExceptionInput, StoredException } from '../../../contract/exception.ts'
import type { Db } from '../../../db/open.ts'
import { insteadOf } from '../../../errors.ts'
import { ensureCatalog } from '../../../operations/catalog/bundled.ts'
import {
  checkException,
  openException,
  placeNeeded,
  type ReleaseColumns,
  requireRoomForException,
  sealException,
} from '../../../operations/findings/exception.ts'
import { findFinding } from '../../../operations/findings/find.ts'
import type { withMatches } from '../../../operations/freshness/exception-matches.ts'
import { placeOfFinding } from '../../../reports/place-of-finding.ts'
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
    return { ...found, items: await addMatches(db, items, { ownerId: owner.id, vault, now }) }
  },

  async createException({ db, vault, now }, { body, user, owner }) {
    checkException(body, now)
    const keeper = await vault()
    const { finding, place } = await findSubject(db, owner.id, body, vault)
    if (body.next_release_of !== undefined) await ensureCatalog(db, now)
    const release = await findReleaseColumns(db, body.next_release_of, now)
    const row = sealException(keeper, { ...body, ...place }, { by: user, now, finding, release })
    return change(`owner:${owner.id} exceptions`, async (trx) => {
      await requireRoomForException(trx, owner.id, now)
      await insertException(trx, owner.id, row)
      return {
        success: true,
        ...openException(keeper, await getException(trx, owner.id, row.exception_id), now),
      }
    })
  },

  async getException({ db, vault, now }, { params, query, owner }) {
    const found = openException(await vault(), await getException(db, owner.id, params.exception_id), now)
    if (!query.include_matched) return found
    return (await addMatches(db, [found], { ownerId: owner.id, vault, now }))[0]!
  },

  async expireException({ vault, now }, { params, user, owner }) {
    const keeper = await vault()
    return change(`owner:${owner.id} exceptions`, async (trx) => {
      await endException(trx, owner.id, params.exception_id, { now, login: user.login })
      return { success: true, ...openException(keeper, await getException(trx, owner.id, params.exception_id), now) }
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

/** Loaded on demand, because it assesses what runs. */
async function addMatches(...about: Parameters<typeof withMatches>): Promise<StoredException[]> {
  const { withMatches } = await import('../../../operations/freshness/exception-matches.ts')
  return withMatches(...about)
}

/**
 * Describes the finding of an exception, and chooses the cluster that it applies to: of those that are asked for, the one
 * whose latest run has the finding, scanned last. Throws `invalid_param` if no cluster is named, and no stored run has it.
 */
async function findSubject(
  db: Db,
  ownerId: number,
  { fingerprint, cluster_name, environment, all_clusters }: ExceptionInput,
  vault: HandlerContext['vault'],
) {
  if (fingerprint === undefined) return {}
  const asked = { ownerId, fingerprint, clusterName: cluster_name, environment }
  const found = await findFinding(db, asked, vault).catch(insteadOf('not_found', undefined))
  const place = all_clusters || !found ? undefined : placeOfFinding(found.clusters)
  if (!all_clusters && !place && cluster_name === undefined) throw placeNeeded()
  if (!found) return { place }
  const { check_id, check_name, severity, namespace, resource, message } = found.finding
  return { place, finding: { check_id, check_name, severity, namespace, resource, message } }
}

function toBounds(
  { state, expiring_days, ended_days }: CheckedRequest<'listExceptions'>['query'],
  now: number,
): EndBounds {
  // The last day counts completely.
  const today = now - (now % daySeconds)
  const expiring = expiring_days === undefined ? undefined : today + (expiring_days + 1) * daySeconds
  const isActive = state === 'active' || (state === undefined && expiring !== undefined)
  return {
    after: isActive ? now : ended_days === undefined ? undefined : now - ended_days * daySeconds,
    until: state === 'expired' ? now : expiring,
  }
}
