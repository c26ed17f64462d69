import * as z from 'zod/mini'
import { isObject } from '../../util/json.ts'
import * as ours from '../project.ts'
import { Id, pageFields, success, toPage } from '../shape.ts'
import { listUnder, maybeSuccess, received, reshaped } from './received.ts'

/** Each schema is created by a function, so that a command pays only for the answer that it needs. */

/** A reduced form of releases has `notes` instead of `release_notes`. */
function withReleaseNotes(value: unknown) {
  return isObject(value) && value.release_notes === undefined ? { ...value, release_notes: value.notes } : value
}

const receivedRelease = () => reshaped(withReleaseNotes, received(ours.Release, ['version']))
export type ReceivedRelease = z.infer<ReturnType<typeof receivedRelease>>

const receivedReleaseItem = () => reshaped(withReleaseNotes, received(ours.ReleaseItem, ['version']))
export type ReceivedReleaseItem = z.infer<ReturnType<typeof receivedReleaseItem>>

function receivedReleases() {
  const release = z.array(receivedRelease())
  return z.object({ app: release, helm: release, pre: release })
}

const shownOfAll = ['id', 'name', 'description', 'category', 'cncf_status', 'homepage', 'repo_url'] as const

const receivedProject = () =>
  received(z.extend(ours.Project, { releases: z.optional(receivedReleases()) }), [...shownOfAll, 'updated_at'])
export type ReceivedProject = z.infer<ReturnType<typeof receivedProject>>

const receivedProjectDetail = () =>
  received(z.extend(ours.ProjectDetail, { releases: receivedReleases() }), [...shownOfAll, 'releases'])
export type ReceivedProjectDetail = z.infer<ReturnType<typeof receivedProjectDetail>>

/** The fields of the reduced form. */
const receivedRecentRelease = () =>
  reshaped(withReleaseNotes, received(ours.RecentRelease, ['id', 'name', 'version', 'published_at']))
export type ReceivedRecentRelease = z.infer<ReturnType<typeof receivedRecentRelease>>

export const stats = () => received(ours.Stats, ['success', 'total_projects', 'total_releases', 'total_security_fixes'])
export type ReceivedStats = z.infer<ReturnType<typeof stats>>

export const projectPage = () => toPage(receivedProject())
export const product = () => z.object({ product: receivedProjectDetail() })
export const releasePage = () => toPage(receivedReleaseItem())
export const recentReleases = () => z.object({ ...success, releases: z.array(receivedRecentRelease()) })

const receivedPopularProject = () =>
  received(ours.PopularProject, [
    'id',
    'name',
    'category',
    'cncf_status',
    'repo_url',
    'subscriber_count',
    'last_release_at',
    'releases_30d',
  ])
export type ReceivedPopularProject = z.infer<ReturnType<typeof receivedPopularProject>>
export const popularProjects = () => z.object({ ...success, projects: z.array(receivedPopularProject()) })

/** Answers that the published API does not describe. */
export const addedRelease = () =>
  received(z.object({ ...maybeSuccess, release_id: Id, created: z.boolean() }), ['success'])
export const syncedProjects = () =>
  received(z.object({ ...maybeSuccess, created: z.int(), updated: z.int(), removed: z.int() }), ['success'])

export function existingReleases() {
  const release = received(z.object({ product_id: Id, version: z.string(), type: ours.ReleaseType }), [])
  const page = z.object({ ...maybeSuccess, releases: z.array(release), ...pageFields })
  return listUnder(['releases', 'items'], received(page, ['success', 'releases']))
}
