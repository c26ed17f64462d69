import type { UpgradeRule } from '../contract/state-facts.ts'
import type { UpgradeEvidence } from '../contract/upgrade.ts'
import type { BundledComponent, Compatibility, SkewRule } from '../contract/upgrade-facts.ts'
import {
  chartOnlyText,
  clusterText,
  noProjectText,
  noRangeText,
  oldReleasesText,
  openEndText,
  pairedText,
  passedText,
  rangeText,
  silentReleaseText,
  silentText,
  suffixText,
  untestedText,
} from '../views/upgrade-text.ts'
import { isPaired, type RangeReading } from './compatibility.ts'
import { clusterSlug } from './coupled.ts'
import type { PassedLine } from './find-move.ts'
import type { StuckPart } from './move-part.ts'
import type { PlanPart } from './part.ts'

export const evidenceOf = (
  kind: UpgradeEvidence['kind'],
  says: string,
  source: string | null = null,
  as_of: string | null = null,
): UpgradeEvidence => ({ kind, says, source, as_of })

/** Published range of a part for one Kubernetes version. */
export function publishedEvidence(part: PlanPart, reading: RangeReading, kubernetes: string): UpgradeEvidence {
  const { word, by, openUpTo, suffix } = reading
  if (!by) return evidenceOf('none', unreadText(part))
  const more = [
    ...(word === 'ok' && openUpTo !== undefined && by.kubernetes_max === null ? [openEndText(by, openUpTo)] : []),
    ...(suffix === undefined ? [] : [suffixText(suffix)]),
    ...(word === 'unknown' ? [silentText(by, part.name, kubernetes)] : []),
  ]
  return rowEvidence(part.name, by, more)
}

function unreadText({ slug, name, version, isUnknown, isOfChart }: PlanPart) {
  if (isUnknown) return noProjectText(slug)
  if (slug === clusterSlug) return clusterText(name)
  return isOfChart ? chartOnlyText(name, version) : noRangeText(name, version)
}

/** Published range of a part's target version. */
export const rowEvidence = (name: string, row: Compatibility, more: string[] = []): UpgradeEvidence => ({
  kind: row.chart ? 'chart' : row.kind,
  says: [rangeText(name, row), ...more].join(' '),
  source: row.source || null,
  as_of: row.as_of,
  ...(row.own && { own: true }),
})

/** Why a part outside of its range may still be upgradable. */
export function openEvidence({ part, reading: { by }, hop, silent, oldSince }: StuckPart): UpgradeEvidence {
  const version = part.version ?? ''
  const says =
    by && isPaired(by)
      ? pairedText(part.name)
      : silent
        ? silentReleaseText(part.name, silent.version, hop)
        : oldSince
          ? oldReleasesText(part.name, oldSince, hop)
          : untestedText(part.name, version, hop)
  return evidenceOf('none', says)
}

/** Why a lower line was not chosen. */
export const passedEvidence = (name: string, { line, because }: PassedLine): UpgradeEvidence =>
  evidenceOf('advisory', passedText(name, line, because))

export function shippedEvidence(component: BundledComponent): UpgradeEvidence {
  const { distribution, kubernetes, slug, version, source } = component
  return evidenceOf('rule', `${distribution} ships ${slug} ${version} with Kubernetes ${kubernetes}.`, source)
}

/** A project's own upgrade rule. */
export const ruleEvidence = ({ note, source }: UpgradeRule): UpgradeEvidence => evidenceOf('rule', note, source)

export const skewEvidence = ({ note, source, as_of }: SkewRule): UpgradeEvidence =>
  evidenceOf('skew', note, source, as_of)
