import { insteadOf } from '../../../errors.ts'
import { ensureCatalog } from '../../../operations/catalog/bundled.ts'
import { syncProjects } from '../../../operations/catalog/sync-projects.ts'
import { withFixes } from '../../../operations/freshness/release-fixes.ts'
import { findRunningArtifacts } from '../../../operations/freshness/running-artifacts.ts'
import { listPopularProjects } from '../../../store/catalog/popular-project.ts'
import { listRecentReleases } from '../../../store/catalog/recent-release.ts'
import { listExistingReleases } from '../../../store/catalog/release-change.ts'
import { change, type Handlers } from '../../handler.ts'

const withoutKey = insteadOf('key_unavailable', undefined)

export const releaseHandlers: Handlers<'release'> = {
  async getRecentReleases({ db, now, vault }, { query, owner }) {
    await ensureCatalog(db, now)
    const { limit, category, security_only: securityOnly } = query
    const releases = await listRecentReleases(db, { limit, category, securityOnly, until: now })
    return {
      success: true,
      releases: owner ? await withFixes(db, releases, { ownerId: owner.id, vault, now }) : releases,
    }
  },

  async getPopularProjects({ db, now, vault }, { query, owner }) {
    await ensureCatalog(db, now)
    const asking = owner && { ownerId: owner.id, vault, now }
    const found = asking && (await findRunningArtifacts(db, asking, { projectIds: [] }).catch(withoutKey))
    const running = [...(found?.runs ?? [])].flatMap(({ projectIds }) => projectIds)
    return { success: true, projects: await listPopularProjects(db, { limit: query.limit, now, running }) }
  },

  async addRelease({ db, now }, { body }) {
    await ensureCatalog(db, now)
    const { publishRelease } = await import('../../../operations/catalog/publish-release.ts')
    return change('catalog', async (trx) => {
      const { id, created } = await publishRelease(trx, body, now)
      return { success: true, release_id: id, created }
    })
  },

  async syncProjects({ db, now }, { body }) {
    await ensureCatalog(db, now)
    return change('catalog', async (trx) => ({ success: true, ...(await syncProjects(trx, body, now)) }))
  },

  async listExistingReleases({ db, now }, { query }) {
    await ensureCatalog(db, now)
    const { product_id: projectId, page, per_page: perPage } = query
    const { items: releases, ...paging } = await listExistingReleases(db, { projectId, page, perPage })
    return { success: true, releases, ...paging }
  },
}
