import * as z from 'zod/mini'
import { reportSources } from '../scan/report-source.ts'
import { parseDuration } from '../util/duration.ts'

/** Shapes of `agent.yaml`. Durations are in seconds once read. */

const minute = 60
const day = 86_400

function seconds({ min, max }: { min: number; max: number }) {
  return z.pipe(
    z.pipe(
      z.string({ error: 'a duration such as 90s, 15m, 2h or 1d is needed' }),
      z.transform((text: string) => parseDuration(text)),
    ),
    z
      .int({ error: 'use a duration such as 90s, 15m, 2h or 1d' })
      .check(
        z.gte(min, { error: `must be at least ${min} seconds` }),
        z.lte(max, { error: `must be at most ${max / day} days` }),
      ),
  )
}

const line = (max: number) =>
  z.string().check(
    z.trim(),
    z.minLength(1, { error: 'must not be empty' }),
    z.maxLength(max, { error: `must have at most ${max} characters` }),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    z.regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, { error: 'must not contain control characters' }),
  )

/** Addresses are secrets: whoever knows one can report success in the job's name. */
const heartbeat = z.string().check(
  z.refine((text) => /^https?:\/\/[^\s@]+$/.test(text) && URL.canParse(text), {
    error: 'an http or https address without credentials is needed',
  }),
)

const Watch = z.strictObject({
  folder: line(1000),
  /** Pattern of file names, with `*` and `?`. */
  pattern: z._default(line(200), '*.json'),
  /** Files stay where they are and are remembered by their content. */
  keep: z._default(z.boolean(), false),
})

export const AgentJob = z
  .strictObject({
    name: z.string().check(
      z.regex(/^[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?$/, {
        error: 'use at most 63 lower-case letters, digits, dots, dashes and underscores',
      }),
    ),
    /** A cron pattern of five fields, with `H` as in Jenkins. */
    schedule: z.optional(line(200)),
    every: z.optional(seconds({ min: minute, max: 366 * day })),
    time_zone: z.optional(line(60)),
    jitter: z._default(seconds({ min: 0, max: day }), 0),
    /** A scan profile by name or id. */
    profile: z.optional(line(200)),
    watch: z.optional(Watch),
    /** Reads the reports of an operator with kubectl, in place of a scanner. */
    collect: z.optional(z.enum(reportSources)),
    /** Kubernetes context for `collect`. */
    context: z.optional(line(200)),
    /** A server by name or address, or `local`; default: the current server. */
    server: z.optional(line(500)),
    cluster: z.optional(line(200)),
    environment: z.optional(line(100)),
    allow_env: z._default(z.array(line(200)).check(z.maxLength(100)), []),
    allow_hosts: z._default(z.array(line(300)).check(z.maxLength(100)), []),
    timeout: z._default(seconds({ min: 1, max: day }), 30 * minute),
    on_missed: z._default(z.enum(['latest', 'skip']), 'latest'),
    max_late: z._default(seconds({ min: 0, max: 366 * day }), day),
    overlap: z._default(z.enum(['skip', 'queue']), 'skip'),
    /** File with a gate policy. */
    gate: z.optional(line(1000)),
    keep_reports: z.optional(line(1000)),
    heartbeat: z.optional(heartbeat),
  })
  .check(z.superRefine(checkJob))
export type AgentJob = z.infer<typeof AgentJob>

function checkJob(job: Record<string, unknown>, context: z.core.$RefinementCtx): void {
  const problem = (path: string[], message: string) =>
    context.issues.push({ code: 'custom', path, message, input: job })
  const sources = ['profile', 'watch', 'collect'].filter((key) => job[key] !== undefined)
  const times = ['schedule', 'every'].filter((key) => job[key] !== undefined)
  if (sources.length !== 1) problem([], 'one of profile, watch and collect is needed')
  if (times.length > 1) problem(['every'], 'schedule and every cannot be combined')
  if (sources[0] === 'watch') for (const key of times) problem([key], 'a watched folder needs no schedule')
  else if (times.length === 0) problem([], 'schedule or every is needed')
  if (sources[0] === 'collect' && job.cluster === undefined) problem([], 'collect needs cluster')
  if (job.time_zone !== undefined && job.schedule === undefined) problem(['time_zone'], 'time_zone belongs to schedule')
}

export const AgentConfig = z.strictObject({
  /** Port of 127.0.0.1 for `/healthz`, `/readyz` and `/metrics`; none by default. */
  health_port: z.optional(z.int().check(z.gte(1), z.lte(65_535))),
  /** For jobs without one of their own. */
  heartbeat: z.optional(heartbeat),
  /** Limits of the spool. */
  spool: z.optional(
    z.strictObject({
      max_size_mb: z.optional(z.int().check(z.gte(1), z.lte(1_000_000))),
      max_age: z.optional(seconds({ min: 3600, max: 366 * day })),
      when_full: z.optional(z.enum(['keep-oldest', 'keep-newest'])),
    }),
  ),
  jobs: z.array(AgentJob).check(z.minLength(1, { error: 'at least one job is needed' }), z.maxLength(1000)),
})
export type AgentConfig = z.infer<typeof AgentConfig>

/** Known keys of each part, for suggestions about misspelt ones. */
export const configKeys = {
  '': Object.keys(AgentConfig.shape),
  jobs: Object.keys(AgentJob.shape),
  watch: Object.keys(Watch.shape),
  spool: ['max_size_mb', 'max_age', 'when_full'],
}
