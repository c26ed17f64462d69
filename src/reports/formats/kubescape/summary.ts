import { ratedSeverities } from '../../../contract/choices.ts'
import type { FindingSeverity } from '../../../contract/scan-finding.ts'
import { shown } from '../../not-run-text.ts'
import { scoreGap } from '../../score-gap.ts'
import { shapeFor, strangeMember } from '../../strange-member.ts'
import { string } from '../../text.ts'
import type { AdvisedCheck, ScanCollector } from '../collector.ts'
import { contradictionBySeverity, contradictionFor } from '../reconcile.ts'
import { entries, number, object, objects, type Values } from '../values.ts'
import { doubtOfStatus, statusFor } from './control.ts'

export interface Control extends AdvisedCheck {
  severity: FindingSeverity
  /** Why the control was skipped. */
  notRun?: string | undefined
  /** Number of failed resources in the summary. */
  failed: number
  /** The control or one of its resources failed. */
  hasFailed: boolean
  complianceScore?: number | undefined
}

const summaryShape = shapeFor({
  known:
    'controls status frameworks resourcesSeverityCounters controlsSeverityCounters severityCounters ResourceCounters ' +
    'vulnerabilities score complianceScore name version',
})

const countersShape = shapeFor({ known: 'passedResources failedResources skippedResources excludedResources' })
const severityCountersShape = shapeFor({
  known: 'criticalSeverity highSeverity mediumSeverity lowSeverity unknownSeverity',
})

const controlShape = shapeFor({
  known:
    'statusInfo controlID name status resourceIDs ResourceCounters subStatusCounters score complianceScore scoreFactor ' +
    'category severity vapEnforcement description remediation',
})

/** Why a passed control is in doubt: its own counts contradict it. */
export function doubtOfPassed(control: Values) {
  const { score, complianceScore, status, statusInfo } = control
  const [word, other] = [statusFor(status).status, statusFor(statusInfo).status]
  if (word !== undefined && other !== undefined && word !== other) return `the status ${shown(word)}, too`
  if ((number(score) ?? 0) > 0) return `the risk score ${score}`
  if ((number(complianceScore) ?? 100) < 100) return `the compliance score ${complianceScore}`
  return (
    strangeMember(control, controlShape) ??
    doubtOfStatus(statusInfo) ??
    doubtOfStatus(status) ??
    strangeMember(object(control.ResourceCounters), countersShape)
  )
}

/** Contradictions in a summary and its frameworks: their statuses, counts and scores must follow from their controls. */
export function checkSummary(summary: Values, controls: Map<string, Control>, collector: ScanCollector) {
  const all = [...controls.values()]
  collector.gap('Summary', strangeInSummary(summary) ?? gapFor(summary, all) ?? gapOfSeverities(summary, all))
  for (const framework of objects(summary.frameworks)) {
    const own = entries(framework.controls)
    const named = own.length > 0 ? own.flatMap(([id]) => controls.get(id) ?? []) : all
    for (const [id, control] of own) {
      const known = controls.get(id)
      const hidden = statusFor(control.statusInfo ?? control.status).status === 'failed' && !known?.hasFailed
      const check = known ?? { id, name: string(control.name) ?? id, category: '' }
      if (hidden)
        collector.notUnderstood(check, `it failed in the framework ${shown(framework.name)}, and not by itself`)
    }
    const inControls = own.map(([, control]) => strangeMember(control, controlShape))
    const strange = strangeInSummary(framework) ?? inControls.find(Boolean)
    collector.gap(`Framework ${string(framework.name) ?? 'without a name'}`, strange ?? gapFor(framework, named))
  }
}

function strangeInSummary(summary: Values) {
  const { ResourceCounters, controlsSeverityCounters, resourcesSeverityCounters, severityCounters } = summary
  const counters = [controlsSeverityCounters, resourcesSeverityCounters, severityCounters]
  return (
    strangeMember(summary, summaryShape) ??
    strangeMember(object(ResourceCounters), countersShape) ??
    counters.map((each) => strangeMember(object(each), severityCountersShape)).find(Boolean)
  )
}

const knownStatuses = new Set(['passed', 'failed', 'skipped', 'excluded', 'irrelevant', undefined])

function gapFor(summary: Values, controls: Control[]) {
  const { status } = statusFor(summary.status)
  if (!knownStatuses.has(status) || (summary.status !== undefined && status === undefined))
    return `its status is ${shown(summary.status)}`
  if (controls.some(({ hasFailed }) => hasFailed)) return undefined
  if (status === 'failed') return 'it failed, and none of its controls did'
  const { failedResources } = object(summary.ResourceCounters)
  const gap = contradictionFor('it', [{ noun: 'failed resources', counted: failedResources, listed: 0 }])
  if (gap !== undefined) return gap
  if ((number(summary.score) ?? 0) > 0) return `its risk score is ${summary.score}, and none of its controls failed`
  return scoreGap({
    score: number(summary.complianceScore),
    isClean: controls.length > 0 && controls.every(({ notRun }) => notRun === undefined),
  })
}

const severities = ratedSeverities.filter((severity) => severity !== 'info')

function gapOfSeverities(summary: Values, controls: Control[]) {
  const counters = object(summary.controlsSeverityCounters)
  const failed = controls.filter(({ hasFailed }) => hasFailed)
  // An unknown severity may be any.
  const ranks = failed.map(({ severity }) => (severity === 'unknown' ? 'critical' : severity))
  const listed = severities.map((word) => ranks.filter((rank) => rank === word).length)
  const counted = severities.map((word): [string, unknown] => [
    `failed controls from ${word}`,
    counters[`${word}Severity`],
  ])
  const gap = contradictionBySeverity('it', counted, listed)
  if (gap !== undefined || failed.length > 0) return gap
  const resources = [summary.resourcesSeverityCounters, summary.severityCounters].flatMap((each) =>
    Object.entries(object(each)),
  )
  return contradictionFor(
    'it',
    resources.map(([word, count]) => ({ noun: `resources of ${word}`, counted: count, listed: 0 })),
  )
}

/** Newer versions list controls and resources that could not be evaluated. */
export function readCoverage(coverage: unknown, controls: Map<string, Control>, collector: ScanCollector) {
  if (coverage == null) return
  const { notEvaluatedControls, failedGVRPulls, partialGVRPulls, policyDegradations, degraded, coverageScore } =
    object(coverage)
  const named = objects(notEvaluatedControls)
  for (const { controlID, reason, missingGVRs } of named) {
    const id = string(controlID) ?? 'without an id'
    const missing = Array.isArray(missingGVRs) ? missingGVRs.flatMap((gvr) => string(gvr) ?? []).join(', ') : ''
    const check = controls.get(id) ?? { id, name: id, category: '' }
    collector.notRun(check, string(reason) ?? `Kubescape could not read ${missing || 'its resources'}`)
  }
  const pulls = [...objects(failedGVRPulls), ...objects(partialGVRPulls), ...objects(policyDegradations)]
  for (const { gvr, component, error, reason } of pulls) {
    const what = string(gvr) ?? string(component) ?? 'resources'
    collector.gap(
      `Coverage of ${what}`,
      `Kubescape could not read it: ${string(error) ?? string(reason) ?? 'no reason given'}`,
    )
  }
  const isDegraded = (degraded !== undefined && degraded !== false) || (number(coverageScore) ?? 100) < 100
  if (isDegraded && named.length + pulls.length === 0)
    collector.gap('Coverage', 'the scan reports that it is incomplete')
}
