import * as z from 'zod/mini'
import * as ours from '../project.ts'
import { pageOf } from '../shape.ts'
import { isRecord, received, reshaped } from './received.ts'

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
