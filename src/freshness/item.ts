import type { Eol, FreshnessItem, RunningAdvisory, UndecidedAdvisory } from '../contract/freshness.ts'
import { highest } from '../contract/highest-severity.ts'
import { formatTimestamp } from '../util/time.ts'
import type { AffectingAdvisory, KnownAdvisory } from './affected.ts'
import type { AssessedItem, RunningSecurity } from './assessed.ts'
import { type CycleOf, withoutCycles } from './lts.ts'
import { type CatalogFacts, factsDay } from './prepare-catalog.ts'
import { recommend, type Support } from './recommendation.ts'
import type { DatedRelease } from './releases.ts'
import { advisoryBookOf, securityOf, worstOf } from './running-security.ts'
import { judge } from './status.ts'
import type { AssessmentSubject } from './subject.ts'
import { undecidedReason } from './undecided-reason.ts'
import { unknownVerdict, type VersionVerdict, written } from './verdict.ts'

export function assess(subject: AssessmentSubject, known: CatalogFacts): AssessedItem {
  const cycleOf = cyclesOf(subject, known)
  const verdict = judgeSubject(subject, cycleOf)
  const newest = newestVersion(subject)
  const { releases, current } = subject
  const catalogDate = factsDay(known, subject)
  const eol = current && cycleOf(current)
  const support = eol && { ...eol, name: `${subject.match.project!.name} ${eol.cycle}` }
  const recommendation = recommend({ name: releases?.of, current, verdict, support, newest, catalogDate })
  const advisoryBook = advisoryBookOf(subject, known)
  const security = advisoryBook && securityOf(subject, verdict, advisoryBook)
  return {
    ...subject,
    verdict,
    security,
    advisoryBook,
    newest,
    support,
    recommendation,
    isInherited: false,
    catalogDate,
  }
}

/** A chart's version is not the version of what it installs. */
function cyclesOf({ type, match: { project } }: AssessmentSubject, { endOfLifeOf, today }: CatalogFacts): CycleOf {
  if (!project || type === 'helm_chart') return withoutCycles
  return ({ lead, segments }) => (lead === '' ? endOfLifeOf(project, segments, today) : undefined)
}

export function toItem(assessed: AssessedItem, known: CatalogFacts, explain: boolean): FreshnessItem {
  const { match, verdict, releases, support } = assessed
  const fixes = verdict.newer.filter((release) => release.hasSecurityFix)
  // Old facts make "up to date" less sure.
  const isFaded = verdict.status === 'up_to_date' && assessed.catalogDate < known.oldBefore
  const versionSureness = isFaded ? verdict.confidence * 0.9 : verdict.confidence
  return {
    artifact_type: assessed.type,
    artifact_key: assessed.key,
    display_name: assessed.name,
    ...placesOf(assessed.places),
    source: assessed.source,
    source_product_id: match.project?.id ?? null,
    source_product_slug: match.project?.slug ?? null,
    is_monitored: (releases?.list.all.length ?? 0) > 0,
    current_version: assessed.currentVersion,
    latest_version: verdict.latest,
    global_latest_version: assessed.newest,
    same_line_version: verdict.sameLine,
    status: verdict.status,
    confidence: Math.round(match.confidence * versionSureness * 100) / 100,
    reason: `${[match.reason, verdict.evidence].filter((text) => text !== '').join('; ')}.`,
    recommendation: assessed.recommendation,
    compare_mode: verdict.mode,
    inherited_from_helm: assessed.isInherited,
    releases_behind: verdict.releasesBehind,
    ...(verdict.isAtLeast && { releases_behind_at_least: true }),
    days_behind: verdict.daysBehind,
    security_fixes_between: fixes.length,
    highest_severity_between: highest(fixes.map(({ severity }) => severity)),
    security_facts: match.project?.hasSecurityFacts === true,
    ...securityFields(assessed, explain),
    catalog_date: assessed.catalogDate,
    ...(support && { eol: withoutName(support) }),
    ...(assessed.upstreamVersion !== undefined && { upstream_version: assessed.upstreamVersion }),
    ...(assessed.managedBy && {
      managed_by: assessed.managedBy.offering,
      ...(assessed.managedBy.isOwn && { vendor_component: true }),
    }),
    ...(explain && { candidates: match.candidates }),
  }
}

function securityFields({ security, current }: AssessedItem, explain: boolean) {
  const { advisories = [], undecided = [], fixedInLine, fixedIn } = security ?? {}
  const writtenLike = (release: DatedRelease | undefined) =>
    release && current ? written(release.version, current) : null
  return {
    advisories: advisories.map((advisory) => ({
      ...advisoryField(advisory, explain),
      fixed_in_line: writtenLike(advisory.fixedInLine),
    })),
    advisories_count: security ? advisories.length : null,
    highest_advisory_severity: security ? worstOf(advisories) : null,
    advisories_undecided: undecided.length,
    highest_undecided_severity: undecided.some(({ severity }) => severity === null) ? null : worstOf(undecided),
    ...(explain && security && undecided.length > 0 && { undecided_advisories: undecided.map(reasoned(security)) }),
    fixed_in_line: writtenLike(fixedInLine),
    fixed_in: writtenLike(fixedIn),
  }
}

const reasoned =
  ({ running }: RunningSecurity) =>
  (advisory: KnownAdvisory): UndecidedAdvisory => {
    const { id, aliases, severity } = advisory
    return { id, aliases, severity, reason: undecidedReason(advisory, running) }
  }

function advisoryField(advisory: AffectingAdvisory, explain: boolean): Omit<RunningAdvisory, 'fixed_in_line'> {
  const { id, aliases, severity, score, publishedAt, fixedIn, ranges } = advisory
  const published = publishedAt === null ? null : formatTimestamp(publishedAt).slice(0, 10)
  return { id, aliases, severity, score, published, fixed_in: fixedIn, ...(explain && { ranges }) }
}

function withoutName({ name: _, ...eol }: Support): Eol {
  return eol
}

function judgeSubject({ releases, current, unreadable }: AssessmentSubject, cycleOf: CycleOf): VersionVerdict {
  if (!releases) return unknownVerdict('')
  if (releases.list.all.length === 0) return unknownVerdict(`no release of ${releases.of} is in the catalog`)
  return current ? judge(releases.list, current, cycleOf) : unknownVerdict(unreadable)
}

/** Written like the running version where there is one. */
function newestVersion({ releases, current }: AssessmentSubject): string | null {
  const version = releases?.list.newest?.version
  if (!version) return null
  return current ? written(version, current) : version.bare
}

function placesOf(places: AssessmentSubject['places']): Pick<FreshnessItem, 'namespace' | 'workloads'> {
  const namespaces = new Set(places.map((place) => place.namespace))
  const workloads = places.flatMap(({ namespace, workload }) => {
    return workload === null ? [] : [namespace === null ? workload : `${namespace}/${workload}`]
  })
  const [only = null] = namespaces
  return { namespace: namespaces.size === 1 ? only : null, workloads: [...new Set(workloads)].sort() }
}
