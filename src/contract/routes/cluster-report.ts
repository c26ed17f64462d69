import * as z from 'zod/mini'
import { freshnessChoices, freshnessOrders } from '../choices.ts'
import {
  Comparison,
  EndedSubject,
  EndSubject,
  ReportEnvelope,
  Run,
  runPageFields,
  Trends,
  UploadResult,
} from '../cluster-report.ts'
import { Freshness } from '../freshness.ts'
import { GateRecord, RunGate } from '../gate-verdict.ts'
import { inner, runId as runIdPattern, runIdPrefix, spaced } from '../patterns.ts'
import { Success, toRoutes } from '../route.ts'
import { clusterChoice, documented, flag, paging, success, text, timeIn, toPage, whole } from '../shape.ts'

const runId = z.object({ run_id: documented(z.string(), { type: 'string', pattern: runIdPattern }) })
const runInQuery = z.optional(documented(text(100), { type: 'string', pattern: spaced(`(${inner(runIdPattern)})?`) }))

const prefixInQuery = z.optional(
  documented(
    text(100).check(
      z.refine(
        (value) => value === undefined || new RegExp(runIdPrefix).test(value),
        'must be the beginning of a run id',
      ),
    ),
    { type: 'string', pattern: spaced(`(${inner(runIdPrefix)})?`) },
  ),
)

export const clusterReportRoutes = toRoutes({
  uploadReport: {
    method: 'POST',
    path: '/cluster-reports',
    carriesReport: true,
    duplicateStatus: 200,
    summary: 'Upload a report',
    links: [
      {
        parameter: 'run_id',
        member: 'run_id',
        to: ['getReport', 'reportFreshness', 'listRunFindings', 'listFindings', 'recordGate', 'deleteReport'],
      },
      { parameter: 'to_run_id', member: 'run_id', to: ['compareReports'] },
    ],
    role: 'member',
    heavy: true,
    forUploads: true,
    body: ReportEnvelope,
    answer: UploadResult,
    status: 201,
    changesFigures: true,
    audit: 'report.upload',
    received: async () => (await import('../received/cluster-report.ts')).ReceivedUploadResult,
  },
  listReports: {
    method: 'GET',
    path: '/cluster-reports',
    summary: 'List runs of a cluster',
    components: { answer: 'RunPage' },
    role: 'viewer',
    /**
     * Extensions: `run_id_prefix` lists the runs whose id starts with it, of all clusters unless `cluster_name` is given.
     * `scanned_until` excludes later scans; a day alone means its first second. With a prefix, it is ignored. `latest` lists
     * the latest run of each scanner only, by cluster, of all clusters unless `cluster_name` is given.
     */
    query: z.object({
      ...clusterChoice,
      run_id_prefix: prefixInQuery,
      scanned_until: z.optional(timeIn),
      latest: z._default(flag, false),
      ...paging,
    }),
    answer: z.extend(toPage(Run), runPageFields),
    received: async () => (await import('../received/cluster-report.ts')).RunPage,
  },
  compareReports: {
    method: 'GET',
    path: '/cluster-reports/compare',
    largeAnswer: true,
    summary: 'Compare two runs of a cluster',
    role: 'viewer',
    heavy: true,
    /**
     * Extensions: `baseline` compares with what a gate compares with, and counts as known what was seen before that:
     * `last-passed` (of `rule`), `previous`, `branch:NAME`, `cluster:NAME`, a run's id, a day, or `none`.
     */
    query: z.object({
      ...clusterChoice,
      from_run_id: runInQuery,
      to_run_id: runInQuery,
      baseline: z.optional(text(400)),
      rule: z.optional(text(100)),
      /** An extension: without `from_run_id`, compares with the last run until this time; what came later is new. */
      since: z.optional(timeIn),
    }),
    answer: Comparison,
    audit: 'report.compare',
    received: async () => (await import('../received/cluster-report.ts')).ReceivedComparison,
  },
  reportTrends: {
    method: 'GET',
    path: '/cluster-reports/trends',
    largeAnswer: true,
    summary: 'List scores and findings over time',
    role: 'viewer',
    heavy: true,
    query: z.object({
      ...clusterChoice,
      window_days: z._default(whole({ min: 1, max: 365 }), 30),
      group_by_cluster: z._default(flag, false),
      /** An extension: adds checks whose number of rows changed. */
      checks: z._default(flag, false),
    }),
    answer: Trends,
    received: async () => (await import('../received/cluster-report.ts')).ReceivedTrends,
  },
  getReport: {
    method: 'GET',
    path: '/cluster-reports/{run_id}',
    largeAnswer: { with: 'include_report' },
    summary: 'Get run',
    role: 'viewer',
    heavy: true,
    params: runId,
    query: z.object({ include_report: z._default(flag, false) }),
    answer: Run,
    audit: 'report.read',
    received: async () => (await import('../received/cluster-report.ts')).ReceivedRun,
  },
  reportFreshness: {
    method: 'GET',
    path: '/cluster-reports/{run_id}/freshness',
    largeAnswer: true,
    summary: 'List what runs, and how far behind it is',
    role: 'viewer',
    heavy: true,
    params: runId,
    /**
     * Extensions: `explain` adds candidates to each item. `status`, `search` and `artifact` filter the artifacts; summary and coverage include all. `sort=urgency` lists
     * the most urgent first. `per_page` returns a page of them.
     */
    query: z.object({
      explain: z._default(flag, false),
      status: z.optional(z.enum(freshnessChoices)),
      search: z.optional(text(200)),
      artifact: z.optional(text(1000)),
      sort: z.optional(z.enum(freshnessOrders)),
      page: z.optional(whole({ min: 1, max: 1_000_000 })),
      per_page: z.optional(whole({ min: 1, max: 1000 })),
    }),
    answer: Freshness,
    audit: 'report.freshness',
    received: async () => (await import('../received/cluster-report.ts')).ReceivedFreshness,
  },
  recordGate: {
    method: 'PUT',
    path: '/cluster-reports/{run_id}/gate',
    conflicts: true,
    summary: 'Record what a gate decided about a run',
    components: { answer: 'GateRecorded' },
    role: 'member',
    forUploads: true,
    params: runId,
    body: GateRecord,
    answer: z.extend(z.pick(RunGate, { verdict: true, at: true }), success),
    audit: 'report.gate',
    extension: true,
  },
  /** Returns 409 unless it is the latest run about its subject. */
  endSubject: {
    method: 'PUT',
    path: '/cluster-reports/{run_id}/end',
    conflicts: true,
    summary: 'End the subject of a run: an image, folder, tool or benchmark that is no longer part of the cluster',
    role: 'member',
    params: runId,
    body: EndSubject,
    answer: EndedSubject,
    audit: 'subject.end',
    extension: true,
  },
  deleteReport: {
    method: 'DELETE',
    path: '/cluster-reports/{run_id}',
    summary: 'Delete run with its report',
    role: 'owner',
    heavy: true,
    params: runId,
    answer: Success,
    changesFigures: true,
    audit: 'report.delete',
    extension: true,
  },
})
