import * as z from 'zod/mini'
import { cncfStatuses, releaseTypes } from './choices.ts'
import {
  AdvisoryId,
  address,
  emptyIsNull,
  freeText,
  Id,
  IdIn,
  nullableText,
  nullableTime,
  optionalBoolean,
  optionalInt,
  optionalText,
  optionalTexts,
  requiredText,
  Severity,
  success,
  Timestamp,
  text,
  texts,
  timeIn,
} from './shape.ts'

export const CncfStatus = z.enum(cncfStatuses)
export type CncfStatus = z.infer<typeof CncfStatus>

export const ReleaseType = z.enum(releaseTypes)
export type ReleaseType = z.infer<typeof ReleaseType>

export const Release = z.object({
  id: Id,
  product_id: Id,
  version: z.string(),
  type: ReleaseType,
  /** HTML. */
  release_notes: z.string(),
  url: z.string(),
  published_at: Timestamp,
  created_at: Timestamp,
  has_security_fix: z.boolean(),
  cve_list: z.nullable(texts),
  security_severity: Severity,
  security_summary: nullableText,
  cve_links: z.nullable(texts),
  /** The chart of a `helm` release; a project can publish several charts. */
  chart_name: nullableText,
  /** The app version that a chart release installs. */
  app_version: nullableText,
})
export type Release = z.infer<typeof Release>

export const ReleaseItem = z.pick(Release, {
  id: true,
  product_id: true,
  version: true,
  type: true,
  release_notes: true,
  url: true,
  published_at: true,
  has_security_fix: true,
  security_severity: true,
  chart_name: true,
})
export type ReleaseItem = z.infer<typeof ReleaseItem>

const ReleasesByType = z.object({ app: z.array(Release), helm: z.array(Release), pre: z.array(Release) })
export type ReleasesByType = z.infer<typeof ReleasesByType>

export const Project = z.object({
  id: Id,
  /** An extension, like that of the project's detail. */
  slug: optionalText,
  name: z.string(),
  description: z.string(),
  category: z.string(),
  cncf_status: CncfStatus,
  homepage: z.string(),
  docs_url: emptyIsNull(z.string()),
  repo_url: z.string(),
  helm_chart_repo: nullableText,
  logo_url: emptyIsNull(z.string()),
  updated_at: Timestamp,
  latest_version: emptyIsNull(z.string()),
  latest_published_at: emptyIsNull(Timestamp),
  releases: z.optional(ReleasesByType),
})
export type Project = z.infer<typeof Project>

export const ProjectDetail = z.object({
  id: Id,
  slug: optionalText,
  name: z.string(),
  description: z.string(),
  category: z.string(),
  cncf_status: CncfStatus,
  repo_url: z.string(),
  homepage: z.string(),
  docs_url: emptyIsNull(z.string()),
  helm_chart_repo: nullableText,
  logo_url: emptyIsNull(z.string()),
  releases: ReleasesByType,
})
export type ProjectDetail = z.infer<typeof ProjectDetail>

/** A release with the same project, type and version is updated. */
export const NewRelease = z
  .object({
    product_id: IdIn,
    version: requiredText(200),
    type: ReleaseType,
    chart_name: z.optional(text(200)),
    release_notes: z.optional(freeText(500_000)),
    url: z.optional(address),
    /** Absent or empty: now. */
    published_at: z.optional(timeIn),
    has_security_fix: optionalBoolean,
    cve_list: z.nullish(z.array(AdvisoryId).check(z.maxLength(500))),
    security_severity: z.optional(Severity),
    security_summary: z.nullish(freeText(5000)),
    cve_links: z.nullish(z.array(address).check(z.maxLength(500))),
  })
  .check(
    z.refine((release) => release.has_security_fix === true || (release.security_severity ?? 'none') === 'none', {
      path: ['security_severity'],
      error: 'is allowed only with has_security_fix: it is the severity of what the release fixes',
    }),
  )
export type NewRelease = z.infer<typeof NewRelease>

/** Projects are identified by name. */
export const ProjectSync = z.object({
  projects: z
    .array(
      z.object({
        name: requiredText(200),
        description: z.optional(freeText(5000)),
        category: z.optional(freeText(100)),
        cncf_status: z.optional(CncfStatus),
        homepage: z.optional(address),
        docs_url: z.nullish(address),
        repo_url: z.optional(address),
        helm_chart_repo: z.nullish(address),
        logo_url: z.nullish(address),
      }),
    )
    .check(z.maxLength(5000)),
  cleanup_removed: z._default(z.boolean(), false),
})
export type ProjectSync = z.infer<typeof ProjectSync>

export const RecentRelease = z.object({
  /** Id of the project. */
  id: Id,
  product_id: Id,
  name: z.string(),
  logo_url: emptyIsNull(z.string()),
  category: z.string(),
  cncf_status: CncfStatus,
  repo_url: z.string(),
  version: z.string(),
  type: ReleaseType,
  published_at: Timestamp,
  release_notes: z.string(),
  has_security_fix: z.boolean(),
  security_severity: Severity,
  /** An extension: ids of advisories that the release fixes and that affect running artifacts, worst first. */
  fixes: optionalTexts,
})
export type RecentRelease = z.infer<typeof RecentRelease>

export const PopularProject = z.object({
  id: Id,
  name: z.string(),
  category: z.string(),
  cncf_status: CncfStatus,
  logo_url: emptyIsNull(z.string()),
  repo_url: z.string(),
  subscriber_count: z.int(),
  last_release_at: nullableTime,
  releases_30d: z.int(),
})
export type PopularProject = z.infer<typeof PopularProject>

export const Stats = z.object({
  ...success,
  total_projects: z.int(),
  total_releases: z.int(),
  total_security_fixes: z.int(),
  /** An extension: number of projects whose releases were last checked over 30 days ago. */
  stale_projects: optionalInt,
  releases_last_7d: z.int(),
  releases_last_30d: z.int(),
  releases_last_90d: z.int(),
  /** Day on which the bundled catalog's facts were gathered. */
  catalog_date: z.string(),
})
export type Stats = z.infer<typeof Stats>
