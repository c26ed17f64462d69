import type { UpgradeRule } from '../contract/state-facts.ts'
import type { AdvisoryCounts } from '../contract/step.ts'
import type { UpgradeStep } from '../contract/upgrade.ts'
import { countsText, isNone } from '../lifecycle/step-text.ts'
import { supportText } from '../lifecycle/support-text.ts'
import { rangeText } from '../views/upgrade-text.ts'
import { retiredEvidence, toVersion } from './answer-part.ts'
import { clusterSlug } from './coupled.ts'
import { rowEvidence, ruleEvidence } from './evidence.ts'
import type { UpgradeFacts } from './facts.ts'
import type { MoveTarget } from './find-move.ts'
import { compareLines, toMinor } from './line.ts'
import type { PartMove } from './move-part.ts'
import type { PlanPart } from './part.ts'
import { removedApi, removedBetween } from './removals.ts'
import { explainStep, type StepReason } from './step-reason.ts'

export interface StepKnowledge {
  facts: UpgradeFacts
  toRules(slug: string): readonly UpgradeRule[]
}

export type Unnumbered = Omit<UpgradeStep, 'number'>

export const noFixes: AdvisoryCounts = { critical: 0, high: 0, medium: 0, low: 0, unrated: 0, exploited: 0 }

/** Converts a part's move to a step of the plan. */
export function stepOfMove({ hop, when, part, target, reading, allowed }: PartMove, known: StepKnowledge): Unnumbered {
  const about = hop === null ? 'Out of its range now: ' : ''
  const why = [
    ...(reading.by ? [{ says: `${about}${rangeText(part.name, reading.by)}`, row: reading.by }] : []),
    ...(allowed.by ? [{ says: rangeText(part.name, allowed.by), row: allowed.by }] : []),
  ]
  const reasons = why.map(({ says, row }) => ({ says, fact: rowEvidence(part.name, row) }))
  return { ...stepOfPart(part, target, reasons, known), hop, when }
}

/** A step of one project, whatever its purpose. */
export function stepOfPart(
  part: PlanPart,
  target: MoveTarget,
  reasons: readonly StepReason[],
  { facts, toRules }: StepKnowledge,
): Unnumbered {
  const step = 'line' in target ? undefined : target
  const [from, to] = [part.numbers?.segments.join('.') ?? '', step?.numbers.segments.join('.') ?? toVersion(target)]
  const fixes = step?.fixes ?? noFixes
  const ended = part.support?.is_eol ? [`${supportText(`${part.name} ${part.support.cycle}`, part.support)}.`] : []
  const states = retiredEvidence(part).map(({ says }) => says)
  const rules = toRules(part.slug)
  return {
    hop: null,
    kind: 'part',
    when: 'before',
    project_slug: part.slug,
    name: part.name,
    from: part.version ?? '',
    to: toVersion(target),
    via: target.via,
    ...explainStep(
      [...reasons, ...[...ended, ...fixesText(fixes), ...states].map((says) => ({ says }))],
      rules.filter((rule) => isAbout(rule, from, to)).map(ruleEvidence),
    ),
    fixes,
    breaks: breaksBetween(facts, part.slug, from, to),
    removed_apis: removedBetween(facts, part.slug, from, to).map((api) => removedApi(api, to, facts)),
    manual: [...(step?.notes ?? []), ...('line' in target ? ['The catalog lists no release of this line.'] : [])],
    support: step?.support ?? null,
    ...wayBack(part, rules, to),
    workloads: part.workloads,
  }
}

/** Breaking changes in the skipped versions; null if not collected. */
function breaksBetween(facts: UpgradeFacts, slug: string, from: string, to: string) {
  const all = facts.breakingFor(slug)
  if (!all) return null
  return all
    .filter(({ version }) => compareLines(from, version) < 0 && compareLines(version, to) <= 0)
    .map(({ slug: _, ...note }) => note)
    .sort((a, b) => compareLines(a.version, b.version))
}

/** Whether a rule applies to a step. */
function isAbout({ rule, to: border }: UpgradeRule, from: string, to: string) {
  if (rule === 'no-downgrade') return false
  if (border !== undefined) return compareLines(from, border) < 0 && compareLines(border, to) <= 0
  return rule === 'free' || toMinor(from) !== toMinor(to)
}

export const fixesText = (fixes: AdvisoryCounts) => (isNone(fixes) ? [] : [`It fixes ${countsText(fixes)}.`])

export const noClusterWayBack = 'A control plane does not go to an older minor version.'

function wayBack(
  { slug, name, version }: PlanPart,
  rules: readonly UpgradeRule[],
  to: string,
): Pick<UpgradeStep, 'way_back' | 'irreversible'> {
  if (slug === clusterSlug) return { way_back: noClusterWayBack, irreversible: true }
  const barred = rules.find(
    ({ rule, from }) => rule === 'no-downgrade' && (from === undefined || compareLines(to, from) >= 0),
  )
  return barred
    ? { way_back: barred.note, irreversible: true }
    : { way_back: `${name} ${version}; nothing is stated about going back, so keep a backup.` }
}
