import * as z from 'zod/mini'
import * as ours from '../cluster-report.ts'
import { Freshness, FreshnessItem } from '../freshness.ts'
import { Finding, ReportFormat } from '../scan-finding.ts'
import { clusterPlace, nullableInt, optionalText, optionalTexts, toPage } from '../shape.ts'
import { listUnder, maybeSuccess, objectUnder, received } from './received.ts'

/** Id of a length that a server generates. */
const run_id = z.string().check(z.regex(/^crun_[A-Za-z0-9-]{1,200}$/))

/** relt's server has always finished; another server may still be processing. */
const processing_status = z.string()

/** An upload succeeded if the answer has a run id, whatever the rest is. */
export const ReceivedUploadResult = received(
  z.extend(ours.UploadResult, { run_id, success: z.boolean(), processing_status }),
  ['run_id'],
)
export type ReceivedUploadResult = z.infer<typeof ReceivedUploadResult>

/** The published API describes no field of a run but its id. */
const runShape = received(z.extend(ours.Run, { run_id, processing_status }), ['run_id'])
export const ReceivedRun = objectUnder('run_id', ['run', 'item'], runShape)
export type ReceivedRun = z.infer<typeof ReceivedRun>

export const RunPage = listUnder(
  ['items', 'runs', 'reports'],
  received(z.extend(toPage(runShape), ours.runPageFields), ['items']),
)

const ReceivedFinding = received(Finding, [])
export type ReceivedFinding = z.infer<typeof ReceivedFinding>

/** The published API describes only score and lists of a comparison; elements can have any fields. */
export const ReceivedComparison = received(
  z.extend(ours.Comparison, {
    ...maybeSuccess,
    from: runShape,
    to: runShape,
    new_findings: z.array(received(ours.Comparison.shape.new_findings.def.element, [])),
    resolved_findings: z.array(received(ours.Comparison.shape.resolved_findings.def.element, [])),
    regressed_findings: z.array(received(ours.Comparison.shape.regressed_findings.def.element, [])),
  }),
  ['success', 'new_findings', 'resolved_findings', 'regressed_findings'],
)
export type ReceivedComparison = z.infer<typeof ReceivedComparison>

const ReceivedTrendPoint = received(ours.TrendPoint, [])
export type ReceivedTrendPoint = z.infer<typeof ReceivedTrendPoint>

const format = z.optional(ReportFormat)
const checks = z.optional(z.array(ours.CheckTrend))
const ReceivedClusterTrend = received(
  z.object({ ...clusterPlace, format, subject: optionalText, points: z.array(ReceivedTrendPoint), checks }),
  ['points'],
)
export type ReceivedClusterTrend = z.infer<typeof ReceivedClusterTrend>

const window_days = z.catch(z._default(nullableInt, null), null)
export const ReceivedTrends = listUnder(
  ['points', 'trends', 'items'],
  z.union([
    z.extend(z.object({ ...maybeSuccess, window_days }), { clusters: z.array(ReceivedClusterTrend) }),
    received(
      z.object({
        ...maybeSuccess,
        ...clusterPlace,
        window_days,
        format,
        subject: optionalText,
        points: z.array(ReceivedTrendPoint),
        checks,
        other_scanners: z.optional(z.array(ReceivedClusterTrend)),
        other_environments: optionalTexts,
      }),
      ['success', 'window_days', 'points'],
    ),
  ]),
)
export type ReceivedTrends = z.infer<typeof ReceivedTrends>

/** The published API describes six fields, and not the type of `confidence`: a number from 0 to 1, or a word. */
const ReceivedFreshnessItem = received(z.extend(FreshnessItem, { confidence: z.union([z.number(), z.string()]) }), [
  'status',
])
export type ReceivedFreshnessItem = z.infer<typeof ReceivedFreshnessItem>

export const ReceivedFreshness = listUnder(
  ['items'],
  received(z.extend(Freshness, { ...maybeSuccess, run_id, processing_status, items: z.array(ReceivedFreshnessItem) }), [
    'success',
    'items',
  ]),
)
export type ReceivedFreshness = z.infer<typeof ReceivedFreshness>
