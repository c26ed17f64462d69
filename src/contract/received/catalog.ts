import * as z from 'zod/mini'
import * as ours from '../project.ts'
import { Id, pageOf } from '../shape.ts'
import { maybeSuccess } from './page.ts'
import { isRecord, listUnder, received, reshaped } from './received.ts'

/** A shorter form of releases has `notes` in place of `release_notes`. */
function withReleaseNotes(value: unknown): unknown {
  return isRecord(value) && value.release_notes === undefined ? { ...value, release_notes: value.notes } : value
}

const ReceivedRelease = reshaped(withReleaseNotes, received(ours.Release, ['version']))
export type ReceivedRelease = z.infer<typeof ReceivedRelease>

const ReceivedReleaseItem = reshaped(withReleaseNotes, received(ours.ReleaseItem, ['version']))
export type ReceivedReleaseItem = z.infer<typeof ReceivedReleaseItem>

const releases = z.object({
  app: z.array(ReceivedRelease),
  helm: z.array(ReceivedRelease),
  pre: z.array(ReceivedRelease),
})

const shownOfAll = ['id', 'name', 'description', 'category', 'cncf_status', 'homepage', 'repo_url'] as const

const ReceivedProject = received(z.extend(ours.Project, { releases: z.optional(releases) }), [
  ...shownOfAll,
  'updated_at',
])
export type ReceivedProject = z.infer<typeof ReceivedProject>

const ReceivedProjectDetail = received(z.extend(ours.ProjectDetail, { releases }), [...shownOfAll, 'releases'])
export type ReceivedProjectDetail = z.infer<typeof ReceivedProjectDetail>

/** The fields of the reduced form. */
export const ReceivedRecentRelease = reshaped(
  withReleaseNotes,
  received(ours.RecentRelease, ['id', 'name', 'version', 'published_at']),
)
export type ReceivedRecentRelease = z.infer<typeof ReceivedRecentRelease>

export const ReceivedStats = received(ours.Stats, [
  'success',
  'total_projects',
  'total_releases',
  'total_security_fixes',
])
export type ReceivedStats = z.infer<typeof ReceivedStats>

export const ProjectPage = pageOf(ReceivedProject)
export const Product = z.object({ product: ReceivedProjectDetail })
export const ReleasePage = pageOf(ReceivedReleaseItem)
export const RecentReleases = z.object({ success: z.literal(true), releases: z.array(ReceivedRecentRelease) })
const ReceivedPopularProject = received(ours.PopularProject, [
  'id',
  'name',
  'category',
  'cncf_status',
  'repo_url',
  'subscriber_count',
  'last_release_at',
  'releases_30d',
])
export type ReceivedPopularProject = z.infer<typeof ReceivedPopularProject>
export const PopularProjects = z.object({
  success: z.literal(true),
  projects: z.array(ReceivedPopularProject),
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
