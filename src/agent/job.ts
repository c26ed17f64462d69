import * as z from 'zod/mini'
import { parseDuration } from '../util/duration.ts'
import { daySeconds } from '../util/time.ts'

/** Common settings of jobs in `agent.yaml`, whatever their source. Durations are converted to seconds. */

const minute = 60

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
        z.lte(max, { error: `must be at most ${max / daySeconds} days` }),
      ),
  )
}

export const line = (max: number) =>
  z.string().check(
    z.trim(),
    z.minLength(1, { error: 'must not be empty' }),
    z.maxLength(max, { error: `must have at most ${max} characters` }),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    z.regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, { error: 'must not contain control characters' }),
  )

export const JobOptions = z.strictObject({
  name: z.string().check(
    z.regex(/^[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?$/, {
      error: 'use at most 63 lower-case letters, digits, dots, dashes and underscores',
    }),
  ),
  /** A cron pattern with five fields, and `H` as in Jenkins. */
  schedule: z.optional(line(200)),
  every: z.optional(seconds({ min: minute, max: 366 * daySeconds })),
  time_zone: z.optional(line(60)),
  jitter: z._default(seconds({ min: 0, max: daySeconds }), 0),
  /** Kubernetes context for `profile` and `collect`; overrides that of a profile. */
  context: z.optional(line(500)),
  /** The only namespaces to read what runs from. */
  namespaces: z.optional(z.array(line(63)).check(z.minLength(1), z.maxLength(1000))),
  /** Query the metrics of the API server for requests to deprecated APIs. */
  deprecated_apis: z._default(z.boolean(), false),
  /** A server by name or URL, or `local`; default: the current server. */
  server: z.optional(line(500)),
  cluster: z.optional(line(200)),
  environment: z.optional(line(100)),
  allow_env: z._default(z.array(line(200)).check(z.maxLength(100)), []),
  allow_hosts: z._default(z.array(line(300)).check(z.maxLength(100)), []),
  allow_contexts: z._default(z.array(line(500)).check(z.maxLength(100)), []),
  timeout: z._default(seconds({ min: 1, max: daySeconds }), 30 * minute),
  on_missed: z._default(z.enum(['latest', 'skip']), 'latest'),
  max_late: z._default(seconds({ min: 0, max: 366 * daySeconds }), daySeconds),
  overlap: z._default(z.enum(['skip', 'queue']), 'skip'),
  /** File with a gate policy. */
  gate: z.optional(line(1000)),
  keep_reports: z.optional(line(1000)),
})
export type JobOptions = z.infer<typeof JobOptions>
