import { ensureCatalog, getCatalogDate } from '../../../operations/catalog/bundled.ts'
import { countStaleProjects } from '../../../operations/catalog/stale-projects.ts'
import { countProjects, getProject as findProject, listProjects } from '../../../store/catalog/project.ts'
import { listReleases, releaseStats, releasesOfProjects } from '../../../store/catalog/release.ts'
import { type HandlerContext, type Handlers, toId } from '../../handler.ts'

export const projectHandlers: Handlers<'project'> = {
  async listProjects({ db, now }, { query }) {
    await ensureCatalog(db, now)
    const { page, per_page, search, cncf_status, include_releases } = query
    const found = await listProjects(db, { page, perPage: per_page, search, cncfStatus: cncf_status })
    if (!include_releases) return found
    const releases = await releasesOfProjects(
      db,
      found.items.map((project) => project.id),
    )
    return { ...found, items: found.items.map((project) => ({ ...project, releases: releases.get(project.id)! })) }
  },

  getProject,
  getProduct: getProject,

  async listReleases({ db, now }, { params, query }) {
    await ensureCatalog(db, now)
    const { id: projectId } = await findProject(db, toId('project', params.id))
    return listReleases(db, { projectId, type: query.type, page: query.page, perPage: query.per_page })
  },

  async getStats({ db, now }) {
    const catalog_date = await getCatalogDate(db, now)
    const releases = await releaseStats(db, now)
    return {
      success: true,
      total_projects: await countProjects(db),
      total_releases: releases.total,
      total_security_fixes: releases.securityFixes,
      releases_last_7d: releases.last7d,
      releases_last_30d: releases.last30d,
      releases_last_90d: releases.last90d,
      catalog_date,
      stale_projects: await countStaleProjects(db, now),
    }
  },
}

async function getProject({ db, now }: HandlerContext, { params }: { params: { id: string } }) {
  await ensureCatalog(db, now)
  const id = toId('project', params.id)
  const project = await findProject(db, id)
  return { product: { ...project, releases: (await releasesOfProjects(db, [id])).get(id)! } }
}
