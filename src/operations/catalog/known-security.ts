import type { FoundRelease } from '../../catalog/found-release.ts'
import { highest } from '../../contract/severity-rank.ts'
import type { Db } from '../../db/open.ts'
import { compileTagPattern } from '../../freshness/tag-pattern.ts'
import type { ProjectAdvisory } from '../../security/advisory.ts'
import { advisoryLink, isAdvisoryId } from '../../security/advisory-ids.ts'
import { createSecurityLookup } from '../../security/known-security.ts'
import { findAdvisories } from '../../store/catalog/advisory.ts'
import { listCatalogAdvisories } from '../../store/catalog/catalog-advisory.ts'
import { listProjectAdvisories } from '../../store/catalog/project-advisory.ts'
import { addSecurity, listAdvisoriesNamed } from '../../store/catalog/release-security.ts'
import type { TrackedProject } from '../../store/catalog/source.ts'

type Project = Pick<TrackedProject, 'id' | 'tagPattern'>

/** Adds known advisories to releases found for a project. */
export async function withKnownSecurity(trx: Db, project: Project, releases: FoundRelease[]) {
  const tell = await openSecurityLookup(
    trx,
    project,
    releases.flatMap(({ security }) => security?.ids ?? []),
  )
  return releases.map((release) => {
    const { version, chartName, security } = release
    const known = tell({ version, chartName, ids: security?.hasFix ? security.ids : [] })
    if (!known) return release
    const { severity = 'none', ids = [], links = [] } = security ?? {}
    return {
      ...release,
      security: {
        ...security,
        ...known,
        ids: [...new Set([...ids, ...known.ids])],
        severity: highest([severity, known.severity]),
        links: [...new Set([...links, ...known.links])],
      },
    }
  })
}

/** Updates the security fields of a project's releases from known advisories. */
export async function updateKnownSecurity(trx: Db, project: Project) {
  const tell = await openSecurityLookup(trx, project, await listAdvisoriesNamed(trx, project.id))
  return addSecurity(trx, project.id, tell)
}

async function openSecurityLookup(trx: Db, { id, tagPattern }: Project, named: string[]) {
  return createSecurityLookup({
    published: [...(await listProjectAdvisories(trx, id)), ...(await listFixes(trx, id))],
    answers: await findAdvisories(trx, named),
    tagPattern: compileTagPattern(tagPattern),
  })
}

/** Advisories in the catalog, with the versions that fix them. */
async function listFixes(trx: Db, projectId: number): Promise<ProjectAdvisory[]> {
  const advisories = (await listCatalogAdvisories(trx, [projectId])).get(projectId) ?? []
  return advisories
    .filter(({ withdrawn_at }) => withdrawn_at === null)
    .map(({ id, aliases, severity, summary, affected }) => ({
      id,
      aliases: aliases.filter(isAdvisoryId),
      severity: severity ?? 'none',
      summary,
      url: advisoryLink(id),
      fixedIn: affected.flatMap(({ fixed }) => fixed ?? []),
    }))
}
