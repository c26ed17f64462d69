import { offeringNames } from '../contract/choices.ts'
import type { FreshnessItem, RunningAdvisory, UndecidedAdvisory } from '../contract/freshness.ts'
import { highest } from '../contract/severity-rank.ts'
import type { Steps } from '../contract/step.ts'
import { kubernetesSupport } from '../lifecycle/kubernetes-support.ts'
import { formatDay } from '../util/time.ts'
import { adviceText } from '../views/advice.ts'
import type { KnownAdvisory } from './affected.ts'
import type { LineAdvisory, RunningSecurity } from './affecting.ts'
import type { AssessedItem } from './assessed.ts'
import type { Support } from './cycle-of.ts'
import { namedFix } from './named-fix.ts'
import type { CatalogFacts } from './prepare-catalog.ts'
import type { DatedRelease } from './releases.ts'
import { worstOf } from './running-security.ts'
import { lineKey, lineNumbers } from './steps/release-lines.ts'
import { toSteps } from './steps/to-steps.ts'
import { undecidedReason } from './undecided-reason.ts'
import { written } from './verdict.ts'
import { workloadsFor } from './workloads.ts'

export function toItem(assessed: AssessedItem, known: CatalogFacts, explain: boolean): FreshnessItem {
  const { match, verdict, releases, support, states } = assessed
  const fixes = verdict.newer.filter((release) => release.hasSecurityFix)
  const steps = toSteps(assessed)
  const [namespace = null, ...otherNamespaces] = new Set(assessed.places.map((place) => place.namespace))
  return {
    artifact_type: assessed.type,
    artifact_key: assessed.key,
    display_name: assessed.name,
    short_name: assessed.shortName,
    namespace: otherNamespaces.length === 0 ? namespace : null,
    workloads: workloadsFor(assessed),
    source: assessed.source,
    source_product_id: match.project?.id ?? null,
    source_product_slug: match.project?.slug ?? null,
    is_monitored: (releases?.list.all.length ?? 0) > 0,
    current_version: assessed.currentVersion,
    latest_version: verdict.latest,
    global_latest_version: assessed.newest,
    same_line_version: steps.line?.version ?? null,
    status: verdict.status,
    confidence: Math.round(match.confidence * verdict.confidence * 100) / 100,
    reason: `${[match.reason, verdict.evidence].filter((text) => text !== '').join('; ')}.`,
    recommendation: recommendation(assessed, steps),
    compare_mode: verdict.mode,
    inherited_from_helm: assessed.isInherited,
    releases_behind: verdict.releasesBehind,
    ...(verdict.isAtLeast && { releases_behind_at_least: true }),
    days_behind: verdict.daysBehind,
    security_fixes_between: fixes.length,
    highest_severity_between: highest(fixes.map(({ severity }) => severity)),
    security_facts: match.project?.hasSecurityFacts === true,
    ...securityFields(assessed, explain),
    ...fixFields(assessed, steps),
    steps,
    step_reasons: assessed.steps.because,
    states: [...new Set(states.reasons.map(({ state }) => state))],
    facts: states.reasons,
    ...(states.notes.length > 0 && { notes: states.notes }),
    catalog_date: assessed.catalogDate,
    ...(support ? { eol: withoutName(support) } : whyNoSupport(assessed, known)),
    ...(assessed.upstreamVersion !== undefined && { upstream_version: assessed.upstreamVersion }),
    ...(assessed.managedBy && {
      managed_by: assessed.managedBy.offering,
      ...(assessed.managedBy.isOwn && { vendor_component: true }),
    }),
    ...(explain && { candidates: match.candidates }),
  }
}

function recommendation(assessed: AssessedItem, steps: Steps) {
  const { verdict, releases, current, managedBy, installedBy, newest, support, states, catalogDate } = assessed
  return adviceText({
    name: releases?.of,
    hasVersion: current !== undefined,
    status: verdict.status,
    mode: verdict.mode,
    latest: verdict.latest,
    newest,
    steps,
    support,
    catalogDate,
    because: assessed.steps.because,
    reasons: states.reasons,
    installedBy,
    managedBy: managedBy && {
      name: offeringNames[managedBy.offering] ?? managedBy.offering,
      isOwn: managedBy.isOwn,
      advice: managedBy.advice,
    },
  })
}

function securityFields({ security, current, ...assessed }: AssessedItem, explain: boolean) {
  const { advisories = [], undecided = [] } = security ?? {}
  const writtenLike = (release: DatedRelease | undefined) =>
    release && current ? written(release.version, current) : null
  const named = (advisory: LineAdvisory) => namedFix(advisory, { security, current, ...assessed })
  return {
    advisories: advisories.map((advisory): RunningAdvisory => {
      const { id, aliases, severity, score, publishedAt, ranges, exploited = null } = advisory
      const published = publishedAt === null ? null : formatDay(publishedAt)
      const fixed = { fixed_in: named(advisory), fixed_in_line: writtenLike(advisory.fixedInLine) }
      return { id, aliases, severity, score, published, exploited, ...(explain && { ranges }), ...fixed }
    }),
    advisories_count: security ? advisories.length : null,
    highest_advisory_severity: security ? worstOf(advisories) : null,
    advisories_undecided: undecided.length,
    advisories_exploited: advisories.filter(({ exploited }) => exploited).length,
    exploited_undecided: undecided.filter(({ exploited }) => exploited).length,
    highest_undecided_severity: undecided.some(({ severity }) => severity === null) ? null : worstOf(undecided),
    ...(explain && security && undecided.length > 0 && { undecided_advisories: undecided.map(reasoned(security)) }),
  }
}

/** The smallest version without known advisories. */
function fixFields({ steps, current, support, verdict: { family } }: AssessedItem, { clean }: Steps) {
  const numbers = family && current ? lineNumbers(family, current) : 0
  const isInLine =
    current !== undefined &&
    steps.clean !== undefined &&
    lineKey(steps.clean.release.version, steps.clean.cycle, numbers) === lineKey(current, support, numbers)
  return { fixed_in_line: isInLine ? (clean?.version ?? null) : null, fixed_in: clean?.version ?? null }
}

const reasoned =
  ({ running }: RunningSecurity) =>
  (advisory: KnownAdvisory): UndecidedAdvisory => {
    const { id, aliases, severity, exploited } = advisory
    return { id, aliases, severity, reason: undecidedReason(advisory, running), ...(exploited && { exploited }) }
  }

/** Only for Kubernetes, which always has a support end. */
function whyNoSupport({ type, currentVersion: version, offering }: AssessedItem, { today }: CatalogFacts) {
  if (type !== 'kubernetes') return {}
  const found = kubernetesSupport({ version, provider: offering, today })
  return found.eol ? {} : { eol_unknown: found.unknown }
}

function withoutName({ name: _, ...eol }: Support) {
  return eol
}
