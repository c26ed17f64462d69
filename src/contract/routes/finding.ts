import * as z from 'zod/mini'
import { findingGroupings, findingOrders, findingSeverities, findingStates } from '../choices.ts'
import {
  FindingDetails,
  Findings,
  FindingsOfRun,
  RiskPaths,
  SplitWorkload,
  TopChecks,
  WorkloadSplit,
} from '../finding.ts'
import { inner, padded, runId as runIdPattern, spaced } from '../patterns.ts'
import { toRoutes } from '../route.ts'
import { clusterChoice, documented, paging, text, timeIn, whole } from '../shape.ts'

const run_id = z.optional(documented(text(100), { type: 'string', pattern: spaced(`(${inner(runIdPattern)})?`) }))

/** One or several comma-separated words. */
function words<T extends string>(choices: readonly T[]) {
  const word = `(${choices.join('|')})`
  const schema = z.pipe(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(200),
        z.regex(new RegExp(`^(${word}(,${word})*)?$`), { error: `must be some of ${choices.join(', ')}, with commas` }),
      ),
    z.transform((value: string) => (value === '' ? undefined : (value.split(',') as T[]))),
  )
  return z.optional(documented(schema, { type: 'string', pattern: padded(`(${word}(,${word})*)?`) }))
}

const choice = { run_id, ...clusterChoice }

export const findingRoutes = toRoutes({
  /** Findings of one run, or else of the latest run of each scanner of the chosen clusters; all clusters without a name. */
  listFindings: {
    method: 'GET',
    path: '/findings',
    summary: 'List findings of the latest runs',
    role: 'viewer',
    heavy: true,
    query: z.object({
      ...choice,
      severity: words(findingSeverities),
      /** A hyphen selects findings without a namespace. */
      namespace: z.optional(text(253)),
      /** Id of a check, ignoring case. */
      check: z.optional(text(500)),
      /** Part of the resource, ignoring case. */
      resource: z.optional(text(500)),
      /** Part of check, namespace, resource, message or value, ignoring case. */
      search: z.optional(text(500)),
      /** `open` includes new and regressed findings; it is the default. */
      state: words(findingStates),
      /** New and regressed findings came after this time. Default: yesterday at 8:00; on Sunday and Monday, Friday at 8:00. */
      since: z.optional(timeIn),
      /** Owner by the rules of the account; a hyphen selects findings without an owner. */
      owner: z.optional(text(100)),
      group_by: z.optional(z.enum(findingGroupings)),
      sort: z.optional(z.enum(findingOrders)),
      ...paging,
    }),
    answer: Findings,
    audit: 'finding.list',
    extension: true,
  },
  listRunFindings: {
    method: 'GET',
    path: '/cluster-reports/{run_id}/findings',
    summary: 'List findings of a run by check',
    components: { answer: 'FindingsOfRun' },
    role: 'viewer',
    heavy: true,
    largeAnswer: true,
    params: z.object({ run_id: documented(z.string(), { type: 'string', pattern: runIdPattern }) }),
    query: z.object({ limit: z._default(whole({ min: 1, max: 1_000_000 }), 1000) }),
    answer: FindingsOfRun,
    audit: 'finding.list',
    extension: true,
  },
  /** Checks of one run, or else of the latest run of each scanner of the chosen clusters. */
  listTopChecks: {
    method: 'GET',
    path: '/findings/top',
    summary: 'List checks by their effect on the score',
    role: 'viewer',
    heavy: true,
    query: z.object({
      ...choice,
      /** Checks whose worst finding has one of these severities. */
      severity: words(findingSeverities),
      /** Counts only this owner's findings as fixed; a hyphen means those without an owner. */
      owner: z.optional(text(100)),
      ...paging,
    }),
    answer: TopChecks,
    audit: 'finding.top',
    extension: true,
  },
  listRiskPaths: {
    method: 'GET',
    path: '/risk-paths',
    summary: 'List risk paths and AKS readiness of the latest runs',
    role: 'viewer',
    heavy: true,
    largeAnswer: true,
    query: z.object({ ...choice, ...paging }),
    answer: RiskPaths,
    audit: 'risk-path.list',
    extension: true,
  },
  splitWorkload: {
    method: 'POST',
    path: '/findings/splits',
    summary: 'Say that a workload is not a former one under a new name',
    role: 'member',
    body: SplitWorkload,
    answer: WorkloadSplit,
    status: 201,
    changesFigures: true,
    audit: 'finding.split',
    extension: true,
  },
  getFinding: {
    method: 'GET',
    path: '/findings/{fingerprint}',
    summary: 'Get finding',
    role: 'viewer',
    heavy: true,
    /** A fingerprint, or a unique prefix of one. */
    params: z.object({ fingerprint: documented(z.string(), { type: 'string', pattern: '^[0-9a-f]{4,32}$' }) }),
    query: z.object(choice),
    answer: FindingDetails,
    audit: 'finding.read',
    conflicts: true,
    extension: true,
  },
})
