import * as z from 'zod/mini'
import { findingSeverities } from './choices.ts'
import { nullableInt, nullableText, texts } from './shape.ts'

const FindingSeverity = z.enum(findingSeverities)

const RiskPathSample = z.object({
  namespace: nullableText,
  resource: nullableText,
  message: nullableText,
  value: nullableText,
})

/** Findings that a scanner combines into a possible attack: `direct` from checks, `combined` from direct paths. */
export const RiskPath = z.object({
  id: z.string(),
  kind: z.enum(['direct', 'combined']),
  name: z.string(),
  /** The scanner's word, such as `triggered`. */
  status: z.string(),
  /** False only if the status says that the path is closed. */
  is_open: z.boolean(),
  boundary: nullableText,
  confidence: nullableText,
  exploitability: nullableText,
  fix_priority: nullableText,
  summary: nullableText,
  /** Ids of the checks that it is based on. */
  signal_checks: texts,
  /** Ids of the direct paths that a combined path needs, and of the open ones among them. */
  requires: texts,
  triggered_by: texts,
  evidence: z.array(
    z.object({
      check_id: z.string(),
      check_name: nullableText,
      severity: FindingSeverity,
      findings: z.int(),
      samples: z.array(RiskPathSample),
    }),
  ),
})
export type RiskPath = z.infer<typeof RiskPath>

const ReadinessItem = z.object({
  check_id: z.string(),
  name: nullableText,
  severity: FindingSeverity,
  findings: z.int(),
  message: nullableText,
  recommendation: nullableText,
  url: nullableText,
  note: nullableText,
  samples: texts,
})

/** The scanner's assessment of whether a cluster could move to AKS Automatic. */
export const AksReadiness = z.object({
  status: nullableText,
  label: nullableText,
  message: nullableText,
  skipped: z.boolean(),
  blocker_count: nullableInt,
  warning_count: nullableInt,
  alignment_passed: nullableInt,
  alignment_failed: nullableInt,
  blockers: z.array(ReadinessItem),
  warnings: z.array(ReadinessItem),
  alignment: z.array(ReadinessItem),
  actions: z.array(
    z.object({
      title: z.string(),
      phase: nullableText,
      steps: texts,
      check_ids: texts,
      affected: nullableInt,
    }),
  ),
})
export type AksReadiness = z.infer<typeof AksReadiness>

/** The readiness of a run without its lists. */
const ReadinessFigures = z.pick(AksReadiness, {
  status: true,
  label: true,
  skipped: true,
  blocker_count: true,
  warning_count: true,
  alignment_passed: true,
  alignment_failed: true,
})

const blockers = z.array(z.object({ check_id: z.string(), name: nullableText }))

/** Readiness for AKS Automatic in two runs; null if the report does not assess it. */
export const ReadinessChange = z.object({
  from: z.nullable(ReadinessFigures),
  to: z.nullable(ReadinessFigures),
  /** Empty unless both runs assessed it; only for checks and namespaces that both scanned. */
  new_blockers: blockers,
  resolved_blockers: blockers,
})
export type ReadinessChange = z.infer<typeof ReadinessChange>

/** Changes of a cluster's risk paths between two runs. */
export const RiskPathChanges = z.object({
  opened: z.array(RiskPath),
  closed: z.array(RiskPath),
  /** Paths open in one run, and not comparable with the other. */
  incomparable: z.array(
    z.object({ id: z.string(), kind: z.enum(['direct', 'combined']), name: z.string(), reason: z.string() }),
  ),
})
export type RiskPathChanges = z.infer<typeof RiskPathChanges>
