import type { CncfStatus, ReleaseType } from '../../contract/project.ts'
import type { Severity } from '../../contract/shape.ts'
import type { releaseFaults } from '../../contract/state-choices.ts'
import type { AdvisorySource } from '../../security/catalog-advisory.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { id, integer, real, reference, table, text } from './table.ts'

/** The way a project came into the catalog; `user`: `relt catalog add`, `sync`: the route for lists of projects. */
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
    /** Its product on endoflife.date, if that differs from its slug. */
    eol_product: text().orNull(),
    origin: text<ProjectOrigin>(),
    /** Hosts that get the secret of its sources, as JSON; null when the keychain has none. */
    secret_hosts: text().orNull(),
    /** 1 when its addresses came over the interface, not from the operator. */
    has_synced_address: integer().default(0),
    updated_at: integer<UnixSeconds>(),
    /** The newest stable release by version, kept beside the project for lists. */
    latest_version: text().orNull(),
    latest_published_at: integer<UnixSeconds>().orNull(),
    /** Every app release since this day is known, `YYYY-MM-DD`; null: some may be missing. */
    complete_since: text().orNull(),
    /** The source of that judgement. */
    history_basis: text().orNull(),
    /** Day of the bundled facts about its advisories, `YYYY-MM-DD`; null: there are none. */
    advisories_as_of: text().orNull(),
    /** All advisories since this day are known, `YYYY-MM-DD`; empty: only some are; null: no source says. */
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
    /** Last part of the repository. */
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
  },
  {
    primaryKey: ['name', 'project_id'],
    isWithoutRowId: true,
    indexes: { project_chart_by_project: ['project_id'] },
  },
)

/** The way a release came into the catalog; `user`: the route that adds one, `collected`: a sync. */
export type ReleaseOrigin = 'bundled' | 'user' | 'import' | 'collected'

export const release = table(
  'release',
  {
    id: id(),
    project_id: reference(project),
    type: text<ReleaseType>(),
    /** Empty for what is no chart: part of the identity, so never null. */
    chart_name: text(),
    version: text(),
    app_version: text().orNull(),
    /** The range of Kubernetes of a chart, as it states it; null: it states none, or no source said. */
    kube_version: text().orNull(),
    published_at: integer<UnixSeconds>(),
    created_at: integer<UnixSeconds>(),
    url: text(),
    release_notes: text(),
    has_security_fix: integer(),
    security_severity: text<Severity>(),
    security_summary: text().orNull(),
    /** JSON arrays. */
    cve_list: text().orNull(),
    cve_links: text().orNull(),
    origin: text<ReleaseOrigin>(),
    /** Why nobody should take it. */
    fault: text<(typeof releaseFaults)[number]>().orNull(),
  },
  {
    // It also finds the releases of a project, which are few enough to sort.
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
    kind: text<'github' | 'helm' | 'oci' | 'advisories' | 'osv' | 'eol'>(),
    url: text(),
    /** State that the collector needs at the next sync. */
    etag: text().orNull(),
    last_modified: text().orNull(),
    cursor: text().orNull(),
    /** Outcome of the last request. */
    outcome: text<'changed' | 'unchanged' | 'absent' | 'unreachable' | 'limited'>(),
    reason: text().orNull(),
    retry_at: integer<UnixSeconds>().orNull(),
    looked_at: integer<UnixSeconds>(),
    /** Time of the last successful request. */
    answered_at: integer<UnixSeconds>().orNull(),
    /** Time of the last request with changes. */
    changed_at: integer<UnixSeconds>().orNull(),
  },
  { primaryKey: ['project_id', 'kind'], isWithoutRowId: true },
)

/** A release cycle that was fetched: `eol` and `lts` are days, or `true` or `false`. */
export const cycle = table(
  'cycle',
  {
    project_id: reference(project),
    cycle: text(),
    eol: text(),
    lts: text(),
    /** Its last release; null if unknown. */
    latest: text().orNull(),
  },
  { primaryKey: ['project_id', 'cycle'], isWithoutRowId: true },
)

/** Advisories published by a project itself. */
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

/** A database's answer about an advisory id. */
export const advisory = table(
  'advisory',
  {
    id: text().primaryKey(),
    /** 0: it knows none. */
    is_found: integer(),
    /** A JSON array. */
    aliases: text(),
    severity: text<Severity>(),
    summary: text(),
    looked_at: integer<UnixSeconds>(),
  },
  { isWithoutRowId: true, indexes: { advisory_by_time: ['looked_at'] } },
)

/** An advisory about releases of a project, as one source describes it. */
export const catalogAdvisory = table(
  'catalog_advisory',
  {
    project_id: reference(project),
    source: text<AdvisorySource>(),
    /** CVE, else GHSA, else the id of its database. */
    id: text(),
    /** A JSON array. */
    aliases: text(),
    /** Null if unrated. */
    severity: text<Severity>().orNull(),
    /** CVSS base score. */
    score: real().orNull(),
    published_at: integer<UnixSeconds>().orNull(),
    /** 1: only the day of the database's own record is known, which may be later. */
    is_record_date: integer(),
    modified_at: integer<UnixSeconds>().orNull(),
    withdrawn_at: integer<UnixSeconds>().orNull(),
    summary: text(),
    /** A JSON array of the databases that it rests on. */
    databases: text(),
  },
  { primaryKey: ['project_id', 'source', 'id'], isWithoutRowId: true },
)

/** Versions of a project that an advisory affects. With neither end, all from `introduced` on. */
export const affectedRange = table(
  'affected_range',
  {
    project_id: reference(project),
    source: text<AdvisorySource>(),
    advisory_id: text(),
    position: integer(),
    /** `0`: from the beginning. */
    introduced: text(),
    /** The first version that is no longer affected. */
    fixed: text().orNull(),
    /** The last version that is affected. */
    last_affected: text().orNull(),
  },
  { primaryKey: ['project_id', 'source', 'advisory_id', 'position'], isWithoutRowId: true },
)

/** At most one row, which triggers delete when the catalog changes: what rests on the catalog is stored with its name. */
export const catalogRevision = table(
  'catalog_revision',
  {
    id: integer<1>().primaryKey(),
    /** Random. */
    name: text(),
  },
  { check: 'id = 1' },
)

export type StateFactSource = 'file' | 'kev' | 'github' | 'helm' | 'k3s' | 'rke2' | 'istio'
export type StateFactKind =
  | 'project'
  | 'fault'
  | 'repository'
  | 'rule'
  | 'exploited'
  | 'compatibility'
  | 'removal'
  | 'breaking'

/** All facts of a kind that a source told. */
export const stateFact = table(
  'state_fact',
  {
    source: text<StateFactSource>(),
    kind: text<StateFactKind>(),
    /** A JSON array. */
    facts: text(),
    /** The day that the source says its facts are of, `YYYY-MM-DD`. */
    as_of: text().orNull(),
    /** Of the last answer. */
    answered_at: integer<UnixSeconds>().orNull(),
    /** For conditional requests, as JSON. */
    state: text(),
  },
  { primaryKey: ['source', 'kind'], isWithoutRowId: true },
)
