import type { CncfStatus, ReleaseType } from '../../contract/project.ts'
import type { Severity } from '../../contract/shape.ts'
import type { SourceKind } from '../../contract/source-kind.ts'
import type { releaseFaults } from '../../contract/state-choices.ts'
import type { AdvisorySource } from '../../security/catalog-advisory.ts'
import { id, integer, real, reference, table, text, time } from './table.ts'

/** How a project was added to the catalog; `user`: `relt catalog add`, `sync`: the route for lists of projects. */
export type ProjectOrigin = 'bundled' | 'user' | 'import' | 'sync'

export const project = table(
  'project',
  {
    id: id(),
    slug: text().unique(),
    name: text(),
    description: text(),
    category: text(),
    cncf_status: text<CncfStatus>(),
    homepage: text(),
    docs_url: text(),
    repo_url: text(),
    helm_chart_repo: text().orNull(),
    logo_url: text(),
    tag_pattern: text().orNull(),
    /** Product name on endoflife.date, if different from the slug. */
    eol_product: text().orNull(),
    origin: text<ProjectOrigin>(),
    /** JSON array of hosts that may receive the secret of its sources; null if the keychain has none. */
    secret_hosts: text().orNull(),
    /** 1 if its addresses were set through the API, not by the operator. */
    has_synced_address: integer().default(0),
    updated_at: time(),
    /** The newest stable release by version, duplicated here for lists. */
    latest_version: text().orNull(),
    latest_published_at: time().orNull(),
    /** Every app release since this day is known, `YYYY-MM-DD`; null if some may be missing. */
    complete_since: text().orNull(),
    /** The last day on which its bundled or imported app releases were read, `YYYY-MM-DD`; answers of sources may be later. */
    known_until: text().orNull(),
    /** The source that `complete_since` is based on. */
    history_basis: text().orNull(),
    /** Day of the bundled facts about its advisories, `YYYY-MM-DD`; null if there are none. */
    advisories_as_of: text().orNull(),
    /** All advisories since this day are known, `YYYY-MM-DD`; empty: only some are; null: no source states it. */
    advisories_since: text().orNull(),
  },
  {
    indexes: {
      project_by_name: { on: { sqlite: 'name collate nocase', postgres: 'lower(name collate "C")' } },
    },
  },
)

export const projectImage = table(
  'project_image',
  {
    repository: text(),
    /** Name of the image: the last part of the repository. */
    name: text(),
    project_id: reference(project),
  },
  {
    primaryKey: ['repository', 'project_id'],
    isWithoutRowId: true,
    indexes: { project_image_by_name: ['name'], project_image_by_project: ['project_id'] },
  },
)

export const projectChart = table(
  'project_chart',
  {
    name: text(),
    project_id: reference(project),
    /** Every release of the chart since this day is known, `YYYY-MM-DD`. */
    complete_since: text().orNull(),
    /** As for the project. */
    known_until: text().orNull(),
  },
  {
    primaryKey: ['name', 'project_id'],
    isWithoutRowId: true,
    indexes: { project_chart_by_project: ['project_id'] },
  },
)

/** How a release was added to the catalog; `user`: the route that adds one, `collected`: a sync. */
export type ReleaseOrigin = 'bundled' | 'user' | 'import' | 'collected'

export const release = table(
  'release',
  {
    id: id(),
    project_id: reference(project),
    type: text<ReleaseType>(),
    /** Part of the unique key, so it is empty rather than null for other types. */
    chart_name: text(),
    version: text(),
    app_version: text().orNull(),
    /** Kubernetes version range that a chart states; null if it states none, or no source has it. */
    kube_version: text().orNull(),
    published_at: time(),
    created_at: time(),
    url: text(),
    release_notes: text(),
    has_security_fix: integer(),
    security_severity: text<Severity>(),
    security_summary: text().orNull(),
    /** JSON array. */
    cve_list: text().orNull(),
    cve_links: text().orNull(),
    origin: text<ReleaseOrigin>(),
    /** Why nobody should install it; null if there is no reason. */
    fault: text<(typeof releaseFaults)[number]>().orNull(),
  },
  {
    // Also used to find the releases of a project, which are few enough to sort.
    unique: [['project_id', 'type', 'chart_name', 'version']],
    indexes: {
      release_by_time: ['published_at'],
      release_security_by_time: { on: ['published_at'], where: 'has_security_fix = 1' },
    },
  },
)

export const source = table(
  'source',
  {
    project_id: reference(project),
    kind: text<SourceKind>(),
    url: text(),
    /** State that the collector needs at the next sync. */
    etag: text().orNull(),
    last_modified: text().orNull(),
    cursor: text().orNull(),
    /** Outcome of the last request. */
    outcome: text<'changed' | 'unchanged' | 'absent' | 'unreachable' | 'limited'>(),
    reason: text().orNull(),
    retry_at: time().orNull(),
    looked_at: time(),
    /** Time of the last successful request. */
    answered_at: time().orNull(),
    /** Time of the last request with changes. */
    changed_at: time().orNull(),
  },
  { primaryKey: ['project_id', 'kind'], isWithoutRowId: true },
)

/** A release cycle fetched from endoflife.date: `eol` and `lts` are days, or `true` or `false`. */
export const cycle = table(
  'cycle',
  {
    project_id: reference(project),
    cycle: text(),
    eol: text(),
    lts: text(),
    /** Last release of the cycle; null if unknown. */
    latest: text().orNull(),
  },
  { primaryKey: ['project_id', 'cycle'], isWithoutRowId: true },
)

/** Advisories that a project itself published. */
export const projectAdvisory = table(
  'project_advisory',
  {
    project_id: reference(project),
    id: text(),
    /** JSON arrays. */
    aliases: text(),
    fixed_in: text(),
    severity: text<Severity>(),
    summary: text(),
    url: text(),
  },
  { primaryKey: ['project_id', 'id'], isWithoutRowId: true },
)

/** Response of an advisory database about an id. */
export const advisory = table(
  'advisory',
  {
    id: text().primaryKey(),
    /** 0 if the database does not know it. */
    is_found: integer(),
    /** JSON array of ids. */
    aliases: text(),
    severity: text<Severity>(),
    summary: text(),
    looked_at: time(),
  },
  { isWithoutRowId: true, indexes: { advisory_by_time: ['looked_at'] } },
)

/** An advisory about releases of a project, from one source. */
export const catalogAdvisory = table(
  'catalog_advisory',
  {
    project_id: reference(project),
    source: text<AdvisorySource>(),
    /** CVE, else GHSA, else the id in its database. */
    id: text(),
    /** JSON array of ids. */
    aliases: text(),
    /** Null if unrated. */
    severity: text<Severity>().orNull(),
    /** CVSS base score. */
    score: real().orNull(),
    published_at: time().orNull(),
    /** 1 if only the day of the database's own record is known, which may be later. */
    is_record_date: integer(),
    modified_at: time().orNull(),
    withdrawn_at: time().orNull(),
    summary: text(),
    /** JSON array of the databases that it is based on. */
    databases: text(),
  },
  { primaryKey: ['project_id', 'source', 'id'], isWithoutRowId: true },
)

/** Range of versions that an advisory affects. Without `fixed` and `last_affected`: all from `introduced` on. */
export const affectedRange = table(
  'affected_range',
  {
    project_id: reference(project),
    source: text<AdvisorySource>(),
    advisory_id: text(),
    position: integer(),
    /** `0`: all versions before the end of the range. */
    introduced: text(),
    /** First version that is not affected. */
    fixed: text().orNull(),
    /** Last version that is affected. */
    last_affected: text().orNull(),
  },
  { primaryKey: ['project_id', 'source', 'advisory_id', 'position'], isWithoutRowId: true },
)

/**
 * At most one row, which triggers delete when the catalog changes. Data derived from the catalog is stored with its name.
 */
export const catalogRevision = table(
  'catalog_revision',
  {
    id: integer<1>().primaryKey(),
    /** Random name. */
    name: text(),
  },
  { check: 'id = 1' },
)

/** A file at GitHub: `owner/repository/ref/path`. */
export type RangeFileName = `${string}/${string}`
export type StateFactSource = 'file' | 'kev' | 'github' | 'helm' | 'k3s' | 'rke2' | RangeFileName
export type StateFactKind =
  | 'project'
  | 'fault'
  | 'repository'
  | 'rule'
  | 'exploited'
  | 'compatibility'
  | 'removal'
  | 'breaking'

/** All facts of one kind from one source. */
export const stateFact = table(
  'state_fact',
  {
    source: text<StateFactSource>(),
    kind: text<StateFactKind>(),
    /** A JSON array. */
    facts: text(),
    /** Day of the facts according to the source, `YYYY-MM-DD`. */
    as_of: text().orNull(),
    /** Time of the last answer. */
    answered_at: time().orNull(),
    /** State for conditional requests, as JSON. */
    state: text(),
  },
  { primaryKey: ['source', 'kind'], isWithoutRowId: true },
)
