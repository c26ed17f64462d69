import * as z from 'zod/mini'
import { hasCredentials } from '../util/address.ts'
import { daySeconds } from '../util/time.ts'
import { jobOutcomes } from './choices.ts'
import { someText, withCredentials } from './patterns.ts'
import {
  clusterPlace,
  documented,
  nullableInt,
  nullableText,
  nullableTime,
  requiredText,
  success,
  Timestamp,
  text,
  timeIn,
} from './shape.ts'

/** Everything in this file is an extension. */

const count = z.int().check(z.gte(0), z.lte(1_000_000_000))
const yearSeconds = 366 * daySeconds
const time = z.optional(timeIn)

const JobReport = z.object({
  name: requiredText(63),
  /** The cluster whose reports the job uploads; absent if the reports name their clusters. */
  cluster_name: z.optional(text(253)),
  environment: z.optional(text(100)),
  /** Longest time between two occurrences, in seconds; absent without a schedule. */
  expected_every: z.optional(z.int().check(z.gte(60), z.lte(yearSeconds))),
  next_at: time,
  last_outcome: z.optional(z.enum(jobOutcomes)),
  last_at: time,
})

/** A heartbeat replaces the agent's previous one. */
export const AgentHeartbeat = z.object({
  agent_id: documented(z.string().check(z.regex(/^[A-Za-z0-9-]{1,64}$/)), {
    type: 'string',
    pattern: '^[A-Za-z0-9-]{1,64}$',
  }),
  host: documented(
    requiredText(253).check(z.refine((value) => !hasCredentials(value), { error: 'must not contain credentials' })),
    { type: 'string', minLength: 1, maxLength: 253, pattern: someText, not: { pattern: withCredentials } },
  ),
  version: requiredText(50),
  uploads_waiting: count,
  jobs: z.array(JobReport).check(z.maxLength(1000)),
})
export type AgentHeartbeat = z.output<typeof AgentHeartbeat>

export const AgentHeartbeatAnswer = z.object({
  ...success,
  /** Version of relt on the server. */
  server_version: z.string(),
})

const JobRecord = z.object({
  name: z.string(),
  cluster_name: nullableText,
  environment: nullableText,
  expected_every: nullableInt,
  next_at: nullableTime,
  last_outcome: z.nullable(z.enum(jobOutcomes)),
  last_at: nullableTime,
})

export const AgentRecord = z.object({
  agent_id: z.string(),
  host: z.string(),
  version: z.string(),
  first_seen_at: Timestamp,
  last_seen_at: Timestamp,
  uploads_waiting: z.int(),
  jobs: z.array(JobRecord),
})
export type AgentRecord = z.infer<typeof AgentRecord>

/** A cluster whose reports are overdue. Ends with the next report. */
export const SilentCluster = z.object({
  ...clusterPlace,
  /** Expected seconds between two reports. */
  expected_every: z.int(),
  /** Null if there was no report. */
  last_report_at: nullableTime,
  /** When the server noticed the silence. */
  silent_since: Timestamp,
})
export type SilentCluster = z.infer<typeof SilentCluster>

export const Agents = z.object({
  ...success,
  /** Most recent heartbeat first. */
  items: z.array(AgentRecord),
  silent_clusters: z.array(SilentCluster),
})
