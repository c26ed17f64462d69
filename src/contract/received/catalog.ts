import * as z from 'zod/mini'
import * as ours from '../project.ts'
import { Id, pageOf } from '../shape.ts'
import { maybeSuccess } from './page.ts'
import { isRecord, listUnder, received, reshaped } from './received.ts'

/** A shorter form of releases has `notes` in place of `release_notes`. */
function withReleaseNotes(value: unknown): unknown {
  return isRecord(value) && value.release_notes === undefined ? { ...value, release_notes: value.notes } : value
}

const Release = reshaped(withReleaseNotes, received(ours.Release, ['version']))
export type Release = z.infer<typeof Release>

const ReleaseItem = reshaped(withReleaseNotes, received(ours.ReleaseItem, ['version']))
export type ReleaseItem = z.infer<typeof ReleaseItem>

const releases = z.object({
  app: z.array(Release),
  helm: z.array(Release),
  pre: z.array(Release),
})

const shownOfAll = ['id', 'name', 'description', 'category', 'cncf_status', 'homepage', 'repo_url'] as const

const Project = received(z.extend(ours.Project, { releases: z.optional(releases) }), [...shownOfAll, 'updated_at'])
export type Project = z.infer<typeof Project>

const ProjectDetail = received(z.extend(ours.ProjectDetail, { releases }), [...shownOfAll, 'releases'])
export type ProjectDetail = z.infer<typeof ProjectDetail>

/** The fields of the reduced form. */
export const RecentRelease = reshaped(
  withReleaseNotes,
  received(ours.RecentRelease, ['id', 'name', 'version', 'published_at']),
)
export type RecentRelease = z.infer<typeof RecentRelease>

export const Stats = received(ours.Stats, ['success', 'total_projects', 'total_releases', 'total_security_fixes'])
export type Stats = z.infer<typeof Stats>

export const ProjectPage = pageOf(Project)
export const Product = z.object({ product: ProjectDetail })
export const ReleasePage = pageOf(ReleaseItem)
export const RecentReleases = z.object({ success: z.literal(true), releases: z.array(RecentRelease) })
const PopularProject = received(ours.PopularProject, [
  'id',
  'name',
  'category',
  'cncf_status',
  'repo_url',
  'subscriber_count',
  'last_release_at',
  'releases_30d',
])
export type PopularProject = z.infer<typeof PopularProject>
export const PopularProjects = z.object({
  success: z.literal(true),
  projects: z.array(PopularProject),
})

/** Routes whose answers the interface does not show. */
export const AddedRelease = received(z.object({ ...maybeSuccess, release_id: Id, created: z.boolean() }), ['success'])
export const SyncedProjects = received(
  z.object({ ...maybeSuccess, created: z.int(), updated: z.int(), removed: z.int() }),
  ['success'],
)
const ExistingRelease = received(z.object({ product_id: Id, version: z.string(), type: ours.ReleaseType }), [])
export const ExistingReleases = listUnder(
  ['releases', 'items'],
  received(
    z.object({
      ...maybeSuccess,
      releases: z.array(ExistingRelease),
      page: z.int(),
      per_page: z.int(),
      total: z.int(),
      total_pages: z.int(),
    }),
    ['success', 'releases'],
  ),
)
